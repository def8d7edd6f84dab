// SPDX-License-Identifier: MIT

extension Interfaces {
    package static let widget = #"""
        # What todayd asks of a widget with Protocol=varlink: the mirror of NCWidgetProviding.
        #
        # The widget's process is the service and todayd its client. The connection is a socket that the process has from its
        # beginning: file descriptor 3, with LISTEN_FDS and LISTEN_FDNAMES=varlink (sd_listen_fds(3)), as in
        # `varlinkctl call exec:PROGRAM org.todayd.Widget.PerformUpdate …`. There is one call at a time, and Timeout= to answer
        # it. The process may stay between calls. When todayd needs it no more, it closes the connection, and the process ends.
        interface org.todayd.Widget

        # How much is shown: a few lines, or as many as the widget needs up to a maximum.
        type DisplayMode (compact, expanded)

        # Why the widget is asked, and how much room there is, in characters of a terminal. `known`: todayd has what the
        # widget has drawn last, for this mode and size, so that it need not draw it anew to say `noData`. `editing`: the
        # user edits the widget, which draws an editor. todayd says both; a caller by hand may leave them out, and they are
        # true and false.
        type Request (
          reason: (boot, schedule, appear, request, action, editing, mode, defaults, wake, retry),
          mode: DisplayMode,
          columns: int,
          rows: int,
          known: ?bool,
          editing: ?bool
        )

        # What came of it. `newData`: there is new `content` (docs/content.md). `noData`: what is shown still holds. `failed`:
        # what is shown is kept, and `reason` says in one line why. `nextUpdate` goes with `noData` and `failed`: when to ask
        # next, in microseconds from now. After a failure that wins over the interval, back-off and hosts that begin to look; a
        # request, a button and other defaults ask before.
        type Update (
          result: (newData, noData, failed),
          content: ?object,
          reason: ?string,
          nextUpdate: ?int
        )

        # Fetch what is new. widgetPerformUpdate(completionHandler:) While nothing is known of the widget it is called with
        # `more`: a reply that `continues` has the content which is shown until the answer, a placeholder.
        method PerformUpdate(request: Request) -> (update: Update)

        # The user has chosen another display mode: draw what is there at its size.
        # widgetActiveDisplayModeDidChange(_:withMaximumSize:)
        method DisplayModeDidChange(request: Request) -> (update: Update)

        # A button of the content was pressed.
        method PerformAction(action: string, request: Request) -> (update: Update)

        # Editing begins: draw what the user may change, or fail where that is not allowed now. widgetDidBeginEditing()
        method BeginEditing(request: Request) -> (update: Update)

        # Editing is done; or, with `cancelled`, what was edited is to be as it was before. widgetDidEndEditing()
        method EndEditing(request: Request, cancelled: ?bool) -> (update: Update)

        # A host begins to look at the widget, or the last one looks away. Called as `oneway`, when the process is there anyway.
        # viewWillAppear() and viewDidAppear(), viewWillDisappear() and viewDidDisappear()
        method Appear(request: Request) -> ()
        method Disappear(request: Request) -> ()

        """#
}
