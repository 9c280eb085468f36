import LivePhotoPages
package import WebServer

/// The files of the page, which are parts of the program.
package struct PageFiles: Sendable {
    /// What the page may load: its own files, and the pictures that it makes.
    package static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; "
        + "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

    private static let files = Dictionary(
        uniqueKeysWithValues: [
            ("actions.js", PackageResources.actions_js),
            ("api.js", PackageResources.api_js),
            ("choice.js", PackageResources.choice_js),
            ("crop.js", PackageResources.crop_js),
            ("dom.js", PackageResources.dom_js),
            ("drops.js", PackageResources.drops_js),
            ("editor.css", PackageResources.editor_css),
            ("editor.js", PackageResources.editor_js),
            ("fields.js", PackageResources.fields_js),
            ("filmstrip-canvas.js", PackageResources.filmstrip_canvas_js),
            ("filmstrip-pointers.js", PackageResources.filmstrip_pointers_js),
            ("filmstrip.js", PackageResources.filmstrip_js),
            ("folder.js", PackageResources.folder_js),
            ("frames.js", PackageResources.frames_js),
            ("geometry.js", PackageResources.geometry_js),
            ("handles.js", PackageResources.handles_js),
            ("history.js", PackageResources.history_js),
            ("icon.svg", PackageResources.icon_svg),
            ("icons.js", PackageResources.icons_js),
            ("items.js", PackageResources.items_js),
            ("jobs.js", PackageResources.jobs_js),
            ("keys.js", PackageResources.keys_js),
            ("livepreview.js", PackageResources.livepreview_js),
            ("main.js", PackageResources.main_js),
            ("makebar.js", PackageResources.makebar_js),
            ("moments.js", PackageResources.moments_js),
            ("open.js", PackageResources.open_js),
            ("outcome.js", PackageResources.outcome_js),
            ("pack.js", PackageResources.pack_js),
            ("panel-adjust.js", PackageResources.panel_adjust_js),
            ("panel-crop.js", PackageResources.panel_crop_js),
            ("panel-details.js", PackageResources.panel_details_js),
            ("panel-effects.js", PackageResources.panel_effects_js),
            ("panel-moment.js", PackageResources.panel_moment_js),
            ("panel-parts.js", PackageResources.panel_parts_js),
            ("panel.js", PackageResources.panel_js),
            ("phone.js", PackageResources.phone_js),
            ("picture.js", PackageResources.picture_js),
            ("planner.js", PackageResources.planner_js),
            ("playback.js", PackageResources.playback_js),
            ("result.js", PackageResources.result_js),
            ("single-frames.js", PackageResources.single_frames_js),
            ("start.js", PackageResources.start_js),
            ("studio.css", PackageResources.studio_css),
            ("thumbnails.js", PackageResources.thumbnails_js),
            ("time.js", PackageResources.time_js),
            ("timeline.js", PackageResources.timeline_js),
            ("transport.js", PackageResources.transport_js),
            ("tray.js", PackageResources.tray_js),
            ("viewer.js", PackageResources.viewer_js),
            ("viewstate.js", PackageResources.viewstate_js),
            ("words.js", PackageResources.words_js),
            ("page.css", Array(Page.style.utf8)), ("live-photo.js", Array(Player.script.utf8)),
        ] as [(String, [UInt8])])

    /// The first page.
    static var index: Response { response("text/html; charset=utf-8", PackageResources.index_html) }

    /// - Parameter name: below `page/`.
    package static func file(_ name: String) -> Response? {
        guard let bytes = files[name] else { return nil }
        let kind = name.split(separator: ".").last
        let type =
            switch kind {
            case "css": "text/css; charset=utf-8"
            case "svg": "image/svg+xml"
            default: "text/javascript; charset=utf-8"
            }
        return response(type, bytes)
    }

    private static func response(_ type: String, _ bytes: [UInt8]) -> Response {
        var response = Response(type: type, ResponseBody(bytes))
        response.contentSecurityPolicy = policy
        return response
    }
}
