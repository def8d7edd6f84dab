// SPDX-License-Identifier: MIT

extension Interfaces {
    package static let extensionContext = #"""
        # What todayd gives one widget while its process runs: the mirror of NSExtensionContext, and of NCWidgetController as
        # seen from inside.
        #
        # todayd is the service. The connection is file descriptor 4 of the widget's process, named `context` in LISTEN_FDNAMES
        # (`varlink:context`). Whoever has it is that widget: no method takes an identifier, and nothing else can be changed here.
        interface org.todayd.ExtensionContext

        # How much is shown: a few lines, or as many as the widget needs up to a maximum.
        type DisplayMode (compact, expanded)

        # In characters of a terminal.
        type Size (columns: int, rows: int)

        # What is known about the widget: the display mode the user has chosen and the largest there may be, the most room that
        # each mode offers, its app groups and the URL schemes it may open.
        method Describe() -> (
          id: string,
          mode: DisplayMode,
          largestMode: DisplayMode,
          compact: Size,
          expanded: Size,
          groups: []string,
          schemes: []string
        )

        # Shows or hides the widget. While the flag is false it is not launched. setHasContent(_:forWidgetWithBundleIdentifier:)
        method SetHasContent(hasContent: bool) -> ()

        # Whether the widget should be visible, as SetHasContent left it.
        method HasContent() -> (hasContent: bool)

        # The largest display mode for now, up to the one that the manifest declares.
        # widgetLargestAvailableDisplayMode
        method SetLargestDisplayMode(mode: DisplayMode) -> ()

        # Opens the containing app by one of the schemes of URLSchemes=. Only while an action is performed: the host where the
        # user pressed the button opens it, as that user. open(_:completionHandler:)
        method OpenURL(url: string) -> ()

        # The defaults of one of the widget's app groups; without a name, of the only one. With `more`: now, and after every
        # change. UserDefaults(suiteName:)
        method GetDefaults(group: ?string) -> (values: [string]object)

        # Sets one value of a group's defaults, or removes it. `value` holds the value under the key `value`.
        method SetDefaults(group: ?string, key: string, value: ?object) -> ()

        # The widget does not belong to this group, or belongs to none or several and did not say which.
        error NoSuchGroup (group: ?string)

        # It is not opened, and why not.
        error URLRefused (reason: string)

        # It cannot be done now, and why.
        error Refused (reason: string)

        # The change is not made, because the disk is full or the database cannot be written.
        error NotStored (reason: string)

        """#
}
