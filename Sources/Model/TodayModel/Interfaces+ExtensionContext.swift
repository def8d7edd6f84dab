// SPDX-License-Identifier: MIT

extension Interfaces {
    package static let extensionContext = #"""
        # What todayd gives one widget while its process runs: the mirror of NSExtensionContext, and of NCWidgetController as
        # seen from inside.
        #
        # todayd is the service. The connection is file descriptor 4 of the widget's process, named `context` in
        # LISTEN_FDNAMES (`varlink:context`). A call on this connection acts as that widget, whichever process makes it.
        # So no method takes an identifier, and no call changes another widget.
        interface org.todayd.ExtensionContext

        # How much is shown: a few lines, or as many as the widget needs up to a maximum.
        type DisplayMode (compact, expanded)

        # In characters of a terminal.
        type Size (columns: int, rows: int)

        # Describes the widget: the display mode that the user has chosen and the largest possible one, the room that
        # each mode offers, the widget's app groups, the URL schemes that it may open, and the values of its settings, with
        # secrets, as texts by name: those that its environment has.
        method Describe() -> (
          id: string,
          mode: DisplayMode,
          largestMode: DisplayMode,
          compact: Size,
          expanded: Size,
          groups: []string,
          schemes: []string,
          settings: [string]string
        )

        # Shows or hides the widget. While the flag is false, the daemon does not launch the widget.
        # setHasContent(_:forWidgetWithBundleIdentifier:)
        method SetHasContent(hasContent: bool) -> ()

        # The has-content flag, which SetHasContent changes. True if it has never been set.
        method HasContent() -> (hasContent: bool)

        # Sets the largest display mode for now, up to the one that the manifest declares.
        # widgetLargestAvailableDisplayMode
        method SetLargestDisplayMode(mode: DisplayMode) -> ()

        # Opens the containing app by a URL with one of the schemes of URLSchemes=. Works only while an action is
        # performed: the host where the user pressed the button opens the URL, as that user. open(_:completionHandler:)
        method OpenURL(url: string) -> ()

        # The defaults of one of the widget's app groups; without `group`, of the only one. With `more`: all values at
        # once, and again after every change. UserDefaults(suiteName:)
        method GetDefaults(group: ?string) -> (values: [string]object)

        # Sets one value of a group's defaults; without `value`, removes it. `value` is an object with one key, `value`.
        method SetDefaults(group: ?string, key: string, value: ?object) -> ()

        # The widget does not belong to this group. Or the call named no group, and the widget belongs to none or to
        # several.
        error NoSuchGroup (group: ?string)

        # The URL is not opened; `reason` says why.
        error URLRefused (reason: string)

        # The daemon does not do it now; `reason` says why.
        error Refused (reason: string)

        # The change is not made, because the disk is full or the database cannot be written.
        error NotStored (reason: string)

        """#
}
