import MediaModel

package enum HTML {
    /// An element for untrusted text: markup and control characters are escaped, and right-to-left text does not affect its
    /// surroundings.
    package static func text(_ text: String) -> String { "<bdi>\(attribute(text))</bdi>" }

    /// Untrusted text as the value of an attribute in double quotes.
    package static func attribute(_ text: String) -> String {
        var result = ""
        for scalar in printable(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The page's style sheet: light or dark as the system, black on white in print.
    static let style = """
        :root { color-scheme: light dark; --ink: #1c1c1e; --faint: #63636a; --paper: #fff; --card: #f2f2f5; --line: #d8d8de;
          --good: #1a7f37; --bad: #c4231c; --open: #8a5a00; }
        @media (prefers-color-scheme: dark) { :root { --ink: #f2f2f5; --faint: #a2a2ab; --paper: #161618; --card: #232327;
          --line: #3a3a40; --good: #4cc26b; --bad: #ff7b72; --open: #e3b341; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
        main { max-width: 76rem; margin: 0 auto; padding: 1.25rem; }
        h1 { font-size: 1.6rem; margin: 0 0 1rem; }
        h2 { font-size: 1.15rem; margin: 2rem 0 .75rem; }
        h3 { font-size: 1rem; margin: 0; }
        h3, p, dt, li, pre, figcaption { overflow-wrap: anywhere; }
        .sums { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .6rem; margin: 0; }
        .sums div { background: var(--card); border-radius: .6rem; padding: .6rem .8rem; min-width: 0; }
        dt { color: var(--faint); font-size: .8rem; }
        dd { margin: 0; font-size: 1.25rem; font-weight: 600; }
        .done dd { color: var(--good); }
        .failed dd { color: var(--bad); }
        .open dd { color: var(--open); }
        .origin, .facts, figcaption, .open small { color: var(--faint); font-size: .85rem; }
        .failure { border-left: 4px solid var(--bad); background: var(--card); border-radius: .3rem; padding: .7rem .9rem;
          margin: 0 0 .6rem; }
        .failure p { margin: .2rem 0 0; }
        pre { margin: .6rem 0 0; padding: .6rem; background: var(--paper); border: 1px solid var(--line); border-radius: .3rem;
          font-size: .8rem; white-space: pre-wrap; }
        ul.open { margin: 0; padding-left: 1.2rem; columns: 16rem; }
        .photos { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 45%), 1fr)); gap: 1rem; }
        figure { margin: 0; min-width: 0; break-inside: avoid; }
        figure div { aspect-ratio: 1; display: flex; align-items: center; justify-content: center; background: var(--card);
          border-radius: .5rem; overflow: hidden; }
        img { display: block; width: 100%; height: 100%; object-fit: contain; }
        .gone { margin: 0; padding: .8rem; color: var(--bad); font-size: .85rem; text-align: center; max-height: 100%;
          overflow: hidden; }
        figcaption { margin-top: .4rem; }
        figcaption b { color: var(--ink); }
        .warning { color: var(--open); }
        @media print { :root { color-scheme: light; --ink: #000; --faint: #444; --paper: #fff; --card: #fff; --line: #999;
          --good: #000; --bad: #000; --open: #000; }
          main { max-width: none; padding: 0; } .failure { break-inside: avoid; border: 1px solid #999; }
          .sums div, figure div { border: 1px solid #999; }
          .photos { grid-template-columns: repeat(4, 1fr); } }
        """
}
