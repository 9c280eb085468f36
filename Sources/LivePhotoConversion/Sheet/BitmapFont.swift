/// Digits and the other characters of times, drawn in code: fonts are files, which the sandbox cannot open.
enum BitmapFont {
    static let (width, height) = (5, 7)

    /// The rows of a character from top to bottom, with a `#` for ink; nil for other characters.
    static func rows(of character: Character) -> [String]? { glyphs[character] }

    private static let glyphs: [Character: [String]] = [
        "0": [" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "],
        "1": ["  #  ", " ##  ", "# #  ", "  #  ", "  #  ", "  #  ", "#####"],
        "2": [" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"],
        "3": [" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "],
        "4": ["   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "],
        "5": ["#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "],
        "6": [" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "],
        "7": ["#####", "    #", "   # ", "   # ", "  #  ", "  #  ", "  #  "],
        "8": [" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "],
        "9": [" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "],
        ".": ["     ", "     ", "     ", "     ", "     ", " ##  ", " ##  "],
        ":": ["     ", " ##  ", " ##  ", "     ", " ##  ", " ##  ", "     "],
    ]
}
