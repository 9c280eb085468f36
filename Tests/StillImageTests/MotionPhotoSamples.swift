import Bytes
import TestSupport

/// 24 bytes, as much of a movie as is looked at.
let shortMovie = box("ftyp", Array("mp42".utf8) + hex("00000000") + Array("isommp42".utf8))

func googleXMP(_ attributes: String, _ items: String = "") -> [UInt8] {
    let directory = "<C:Directory><r:Seq>\(items)</r:Seq></C:Directory>"
    return Array(
        """
        <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:G='http://ns.google.com/photos/1.0/camera/'
            xmlns:C='http://ns.google.com/photos/1.0/container/' xmlns:I='http://ns.google.com/photos/1.0/container/item/'>
        <r:Description \(attributes)>\(items.isEmpty ? "" : directory)</r:Description></r:RDF>
        """.utf8)
}

/// As Google's and Samsung's cameras write it.
func directoryItem(_ semantic: String, _ rest: String) -> String {
    "<r:li r:parseType='Resource'><C:Item I:Semantic='\(semantic)' \(rest)/></r:li>"
}

/// A trailer with two records besides the movie's.
func samsungTrailer(_ data: [UInt8], type: Int = 0x0A30, recordType: Int? = nil) -> [UInt8] {
    func record(_ type: Int, _ name: String, _ data: [UInt8]) -> [UInt8] {
        little(0, 2) + little(type, 2) + little(name.utf8.count) + Array(name.utf8) + data
    }
    let records = [
        (0x0A01, record(0x0A01, "Image_UTC_Data", Array("1650697175696".utf8))),
        (0x0AA1, record(0x0AA1, "MCC_Data", Array("262".utf8))),
        (type, record(recordType ?? type, "MotionPhoto_Data", data)),
    ]
    var distance = records.reduce(0) { $0 + $1.1.count }
    var directory = Array("SEFH".utf8) + little(107) + little(records.count)
    for (type, record) in records {
        directory += little(0, 2) + little(type, 2) + little(distance) + little(record.count)
        distance -= record.count
    }
    return records.flatMap(\.1) + directory + little(directory.count) + Array("SEFT".utf8)
}
