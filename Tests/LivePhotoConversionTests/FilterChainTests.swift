import FFmpegKit
import Foundation
import LivePhotoConversion
import MediaModel
import Testing

/// `FilterChain`: which chains of libavfilter are allowed, and that libavfilter runs what was checked.
@Suite struct FilterChainTests {
    private static let size = PixelSize(width: 32, height: 24)

    private static func picture(_ format: String, _ size: PixelSize = size) throws -> Frame {
        let count = size.width * size.height
        let planes = (0..<3).map { plane in (0..<count).map { UInt8(truncatingIfNeeded: $0 * (7 + plane * 4) + plane) }
        }
        let isRGB = format == "gbrp"
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: isRGB ? 0 : 1, isFullRange: isRGB)
        return try Frame(size: size, format: format, color: color, planes: planes)
    }

    private static func filtered(_ filters: String, _ format: String) throws -> [UInt8] {
        let picture = try picture(format)
        let graph = try FilterGraph(filters + ",format=\(format),format=rgb24", like: picture, threads: 1)
        try graph.send(picture)
        return try #require(try graph.receive()).packedPixels()
    }

    @Test(arguments: [
        "zscale=matrixin=470bg:matrix=709", "zscale=transferin=arib-std-b67:transfer=linear:npl=203,format=gbrpf32le",
        "zscale=w=200:h=110:filter=bicubic", "scale=200:110:flags=bicubic+accurate_rnd", "unsharp", "eq=contrast=1.2",
        "hqdn3d", "vignette", "rotate=0.1", "colorlevels=rimax=0.9",
    ])
    func `pictures do not depend on the number of threads`(filters: String) throws {
        let size = PixelSize(width: 240, height: 144)
        let planes = [(width: 240, height: 144), (120, 72), (120, 72)].map { plane in
            (0..<plane.width * plane.height).map { (place: Int) -> UInt8 in
                UInt8(truncatingIfNeeded: (place % plane.width) * (place / plane.width) * 5 >> 2)
            }
        }
        let picture = try Frame(size: size, format: "yuv420p", color: .bt709, planes: planes).shown(at: .zero)
        let results = try (1...4).map { threads in
            let graph = try FilterGraph("\(filters),format=rgb24", like: picture, threads: threads)
            try graph.send(picture)
            return try #require(try graph.receive()).packedPixels()
        }
        #expect(Set(results).count == 1)
    }

    @Test(arguments: [
        ("eq=contrast=1.5", "yuv444p"), (" eq = contrast = 1.5 : brightness=0.1 ", "yuv444p"),
        ("eq=1.5:0.1", "yuv444p"),
        ("'eq'='contrast=1.5'", "yuv444p"), ("eq=contrast='1.5'", "yuv444p"), (#"e\q=contr\ast=1\.5"#, "yuv444p"),
        ("lutyuv=y='clip(val*1.3,16,235)'", "yuv444p"), (#"lutyuv=y=clip(val*1.3\,16\,235)"#, "yuv444p"),
        (#"lutyuv=y='clip(val*1.3\,16\,235)'"#, "yuv444p"), ("lutyuv='255-val':v=val", "yuv444p"),
        ("convolution='0 -1 0 -1 5 -1 0 -1 0'", "yuv444p"), ("curves=r='0/0.11 .42/.51 1/0.95'", "gbrp"),
        ("curves=vintage", "gbrp"), ("drawbox=4:4:10:8:red@0.5:fill", "gbrp"),
        ("drawbox=w=iw-8:c='#00FF7F':t=2", "gbrp"),
        ("gblur=2,negate , hflip", "yuv444p"), ("negate,\nvflip", "yuv444p"), ("unsharp=5:5:1.5:5:5:0", "yuv444p"),
        ("geq=lum='255-lum(X,Y)'", "yuv444p"), ("geq=r='r(W-1-X,Y)':g='g(X,Y)':b='b(X,Y)'", "gbrp"),
        ("hue=h=40:s=1.2", "yuv444p"), ("rotate=PI/8:c=white", "gbrp"), ("noise=alls=20:allf=u", "yuv444p"),
        ("lutrgb=r=val*2n*1000000000", "gbrp"), ("boxblur=2:1:cr=0:ar=0", "yuv444p"),
    ])
    func `libavfilter reads the checked chain as it reads the original`(text: String, format: String) throws {
        let chain = try FilterChain(text)
        let written = chain.filters.map(\.libavText).joined(separator: ",")
        #expect(try Self.filtered(written, format) == Self.filtered(text, format))
        #expect(try Self.filtered(written, format) != Self.filtered("null", format))
        #expect(chain.optionText == text)
        #expect(try JSONDecoder().decode(FilterChain.self, from: JSONEncoder().encode(chain)) == chain)
        try chain.check(for: Self.size, "clip.mp4")
    }

    @Test(arguments: [
        ("lut3d=x.cube", "'lut3d' is not an allowed filter"), ("movie=x.mp4", "'movie' is not"),
        ("drawtext=text=a", "'drawtext'"),
        ("scale=10:10", "'scale'"), ("hqdn3d", "'hqdn3d'"), ("tmix=3", "'tmix'"), ("fade=in", "'fade'"),
        ("elbg=8", "'elbg'"),
        ("gblr=2", "did you mean 'gblur'?"), ("EQ=1.2", "'EQ'"), ("sws_flags=bilinear", "'sws_flags'"),
        ("eq@other=1.2", "write the filter's name without '@'"), (#"eq\@a"#, "without '@'"),
        ("eq=1.2;eq=1.2", "several chains"), ("[in]eq=1.2[out]", "labels"), ("eq=1.2[out]", "labels"),
        ("eq[a],[a]negate", "labels"),
        ("", "name of a filter is missing"), (",", "missing"), ("eq,", "missing"), ("eq,,negate", "missing"),
        ("=1", "missing"),
        ("eq=1\u{0}", "control characters"), ("eq=\u{202E}1", "control characters"),
        ("curves=psfile=x.acv", "the option psfile of curves is not allowed, because it reads or writes a file"),
        ("curves=none:0/0:0/0:0/0:0/0:0/0:x.acv", "curves has 7 values without a name, more than 6"),
        ("curves=plot=x", "the option plot of curves"), (#"curves=pl\ot=x"#, "the option plot of curves"),
        ("curves='plot'=x", "the option plot of curves"),
        ("selectivecolor=psfile=x", "psfile"), ("selectivecolor=0:::::::::::x", "more than 10"),
        ("gblur=2:enable='gt(t,1)'", "the option enable of gblur"), ("gblur=threads=99", "the option threads of gblur"),
        ("gblur=/sigma=x.txt", "'/sigma' cannot be the name of an option of gblur"),
        ("gblur==2", "'' cannot be the name"),
        ("gblur=sigma=2:3", "value without a name after a named option"),
        ("hue=h=360*t", "hue uses t, the time"), ("hue=h='2*PI*n/10'", "hue uses n"),
        ("eq=contrast=1+t/10", "eq uses t"),
        ("eq=1:0:1:1:1:1:1:1:frame", "more than 8"), ("eq=eval=frame", "the option eval of eq"),
        ("rotate=t", "rotate uses t"),
        ("geq=lum=T*10", "geq uses T"), ("geq=lum=N", "geq uses N"), ("geq=lum=random(0)*255", "geq uses random"),
        ("geq=lum='st(0,X);ld(0)'", "geq uses st"), ("lutyuv=y='while(1,1)'", "lutyuv uses while"),
        ("lutyuv=y=time(0)", "lutyuv uses time"), ("drawbox=c=random", "drawbox uses random"),
        ("drawbox=c=RANDOM", "drawbox uses RANDOM"), ("drawbox=c=Bikeshed", "drawbox uses Bikeshed"),
        ("noise=alls=10:allf=t", "noise that differs between frames"), ("noise=c0f=8", "noise that differs"),
        ("noise=1:10:t", "more than 2"), ("histeq=antibanding=1", "depends on chance"),
        ("normalize=smoothing=5", "more than one picture"),
        ("perspective=x0=in", "perspective uses in"), ("drawbox=box_source=x", "box_source"),
        (String(repeating: "negate,", count: 64) + "negate", "more than 64 filters"),
        ("eq=" + String(repeating: "1", count: 9000), "more than 8192 bytes"),
    ])
    func `a chain that is not allowed is an error that says why`(text: String, reason: String) throws {
        let error = #expect(throws: LivePhotoError.self) { try FilterChain(text) }
        #expect(error?.code == .invalidValue && error?.reason.contains(" is not a filter chain: ") == true)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `a character with an accent cannot hide a separator`() throws {
        let chain = try FilterChain("eq=contrast=1\\\\:\u{301}plot\\\\=x,negate=\u{301}")
        #expect(chain.filters[0].libavText == "eq=contrast=1\\\\:\u{301}plot\\\\=x")
        #expect(chain.filters.map(\.kind.name) == ["eq", "negate"])
    }

    @Test(arguments: [
        ("eq=contrst=2", "'contrst'"), ("eq=contrast=bad(", "eq ("), ("gblur=99999", "gblur ("),
        ("boxblur=500", "boxblur ("), ("negate,drawbox=x=foo", "drawbox ("), ("convolution=1 2", "convolution ("),
        ("rotate=1:ow=10:oh=12", "rotate makes a picture of 10x12 of one of 32x24"), ("rotate=1:ow=1e9", "rotate ("),
        ("curves=preset=nope", "curves ("),
    ])
    func `what libavfilter rejects is an error that names the chain and the filter`(text: String, reason: String) throws
    {
        let chain = try FilterChain(text)
        let error = #expect(throws: LivePhotoError.self) { try chain.check(for: Self.size, "clip.mp4") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.reason.hasPrefix("the filter chain \(quoted(text)) cannot be used: ") == true)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    /// One that needs an option to do anything, or to be used at all, is tried with it.
    private static let options = [
        "convolution": "0m=0 -1 0 -1 5 -1 0 -1 0", "geq": "lum=255-lum(X\\,Y)", "noise": "alls=20", "rotate": "0.2",
    ]

    /// The chain of one filter, and the format of its pictures.
    private static func chain(_ name: String) throws -> (filter: FilterChain.Filter, format: String) {
        let chain = try FilterChain(name + (options[name].map { "=\($0)" } ?? ""))
        try chain.check(for: size, "clip.mp4")
        return (chain.filters[0], chain.filters[0].layout == .rgb ? "gbrp" : "yuv444p")
    }

    /// vignette dithers.
    private static func areAlike(_ one: [UInt8], _ other: [UInt8], _ name: String) -> Bool {
        let tolerance = name == "vignette" ? 6 : 0
        return zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }

    @Test(arguments: AllowedFilter.all.map(\.name))
    func `each allowed filter keeps the size, and gives the same picture each time`(name: String) throws {
        guard LibavVersions.hasFilter(name) else { return }
        let (filter, format) = try Self.chain(name)
        let picture = try Self.picture(format)
        let graph = try FilterGraph(filter.libavText + ",format=\(format),format=rgb24", like: picture, threads: 2)
        let results = try (0..<4).map { number in
            try graph.send(picture.shown(at: MediaTime(value: Int64(number), timescale: 10)))
            let result = try #require(try graph.receive(), "\(name) has a delay")
            #expect(result.size == Self.size)
            return try result.packedPixels()
        }
        for result in results.dropFirst() { #expect(Self.areAlike(result, results[0], name)) }
    }

    /// The rows of a part of a large picture are further apart than those of the picture that a filter makes of it.
    @Test(arguments: AllowedFilter.all.map(\.name))
    func `each allowed filter gives the same picture with any number of threads and distance of rows`(
        name: String
    ) throws {
        guard LibavVersions.hasFilter(name) else { return }
        let (filter, format) = try Self.chain(name)
        let large = try Self.picture(format, PixelSize(width: 400, height: Self.size.height))
        let part = "crop=\(Self.size.width):\(Self.size.height):0:0,"
        let results = try [("", 1), ("copy,", 1), ("", 2), ("", 4)].map { copy, threads in
            let graph = try FilterGraph(
                part + copy + filter.libavText + ",format=\(format),format=rgb24", like: large, threads: threads)
            try graph.send(large)
            return try #require(try graph.receive()).packedPixels()
        }
        for result in results.dropFirst() { #expect(Self.areAlike(result, results[0], name)) }
    }
}
