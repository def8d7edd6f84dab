// SPDX-License-Identifier: MIT

extension Interfaces {
    package static let widget = #"""
        # What todayd asks of a widget with Protocol=varlink: the mirror of NCWidgetProviding.
        #
        # The widget's process is the service and todayd its client. The connection is a socket that the process has
        # from its beginning: file descriptor 3, with LISTEN_FDS and LISTEN_FDNAMES=varlink (sd_listen_fds(3)), as in
        # `varlinkctl call exec:PROGRAM org.todayd.Widget.PerformUpdate …`. todayd makes one call at a time, and the
        # process has Timeout= to answer it. The process may stay between calls. When todayd no longer needs it, todayd
        # closes the connection, and the process must end.
        interface org.todayd.Widget

        # How much is shown: a few lines, or as many as the widget needs up to a maximum.
        type DisplayMode (compact, expanded)

        # Why todayd calls the widget, and how much room there is, in characters of a terminal. `known`: todayd has the
        # widget's last content for this mode and size, so a widget without news need not draw and answers `noData`.
        # `editing`: the user edits the widget, which draws an editor. todayd always sends both. A call made by hand may
        # leave them out; then `known` is true and `editing` is false.
        type Request (
          reason: (boot, schedule, appear, request, action, editing, mode, defaults, wake, retry),
          mode: DisplayMode,
          columns: int,
          rows: int,
          known: ?bool,
          editing: ?bool
        )

        # The widget's answer. `newData`: there is new `content` (docs/content.md). `noData`: the shown content is still
        # right. `failed`: todayd keeps the shown content, and `reason` says in one line why. `nextUpdate` goes with
        # `noData` and `failed`: when to run the widget next, in microseconds from now. After a failure it replaces the
        # interval and the back-off, and hosts that begin to show the widget do not run it earlier; a request, a button
        # and changed defaults do.
        type Update (
          result: (newData, noData, failed),
          content: ?object,
          reason: ?string,
          nextUpdate: ?int
        )

        # Asks the widget for new content. widgetPerformUpdate(completionHandler:) While `known` is false,
        # todayd calls this with `more`; a reply that `continues` has a placeholder, which is shown until the answer.
        method PerformUpdate(request: Request) -> (update: Update)

        # The user has chosen another display mode: the widget draws what it has, at the size of that mode.
        # widgetActiveDisplayModeDidChange(_:withMaximumSize:)
        method DisplayModeDidChange(request: Request) -> (update: Update)

        # A button of the content was pressed.
        method PerformAction(action: string, request: Request) -> (update: Update)

        # Editing begins: the widget draws an editor, or fails if it cannot be edited now. widgetDidBeginEditing()
        method BeginEditing(request: Request) -> (update: Update)

        # Editing ends. With `cancelled`, the widget restores what was edited. widgetDidEndEditing()
        method EndEditing(request: Request, cancelled: ?bool) -> (update: Update)

        # The first host begins to show the widget. Called as `oneway`, and only while the process is running anyway.
        # viewWillAppear() and viewDidAppear()
        method Appear(request: Request) -> ()

        # The last host stops showing the widget. Called as Appear is. viewWillDisappear() and viewDidDisappear()
        method Disappear(request: Request) -> ()

        """#
}
