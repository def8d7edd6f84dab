// SPDX-License-Identifier: MIT

/// The interface texts of org.todayd, byte for byte what GetInterfaceDescription returns. interfaces/ has the same
/// texts as files, which are installed for people and tools; a test compares the two.
package enum Interfaces {
    /// How many widgets a client may name in one call of `Show`. The feeds of other clients wait for each of them.
    package static let mostNamedWidgets = 100

    /// The heartbeats that a client may ask `Show` for, in seconds.
    package static let heartbeats = 1...3_600

    package static let today = todayTypes + "\n\n" + todayMethods

    private static let todayTypes = #"""
        # The Today extension point, for hosts and containing apps.
        #
        # Times are microseconds since 1970 (CLOCK_REALTIME); lengths of time are microseconds. Each client that may
        # connect may read, except settings. A user instance lets root and the user that it runs for change everything. The system
        # instance lets root and the members of the administrators' group change everything. It lets the user of a
        # containing app act for its widgets: set the has-content flag, push, update, perform actions, edit, and change
        # the defaults of their groups. A process of a widget may change only that widget and the defaults of its groups.
        # Other changes fail with org.varlink.service.PermissionDenied.
        interface org.todayd.Today

        # A place that hosts widgets.
        type ExtensionPoint (today, lock_screen, status_bar)

        # How much of a widget is shown: a few lines, or as many as it needs up to a maximum.
        type DisplayMode (compact, expanded)

        # How much content wants to be noticed.
        type Severity (normal, good, info, warning, critical)

        # What a widget is doing. `waiting`: it has not answered yet; its content is a placeholder, if there is one.
        # `ready`: the last update succeeded. `failing`: it failed, and the content is the last good one.
        # `empty`: the widget says that there is nothing to show. `hidden`: its has-content flag is false. `disabled`:
        # the user has disabled it. `invalid`: its manifest is wrong. `masked`: its manifest is empty or a link to
        # /dev/null. The daemon does not launch widgets in one of the last four states.
        type State (waiting, ready, failing, empty, hidden, disabled, invalid, masked)

        # What shows a widget that a choice of the user or of its app hides: Enable, SetHasContent with true, or
        # SetLockScreen with true.
        type Cure (enable, set_has_content, allow_on_lock_screen)

        # Room to leave free around what is drawn, in rows and columns of a terminal: 0 to 16.
        type Insets (
          top: ?int,
          left: ?int,
          bottom: ?int,
          right: ?int
        )

        # A node of a view. `type` says which of the other fields matter; docs/content.md has the table.
        type View (
          type: (text, progress, chart, image, button, link, hstack, vstack, grid, spacer, divider, item),
          text: ?string,
          style: ?(title, headline, body, caption, monospace),
          weight: ?(regular, bold),
          align: ?(leading, center, trailing),
          lines: ?int,
          # A meaning (primary, secondary, accent, good, warning, critical) or #rrggbb.
          color: ?string,
          # Progress: 0 to 1. `color` is the color of the bar, `track` that of the rest of its line. `text` replaces the
          # percentage.
          value: ?float,
          track: ?string,
          label: ?string,
          # Chart. `history` stands in place of the points and names a number of the widget: the daemon puts the newest values
          # of its history there, `last` of them at most. Items have the points, and no `history`.
          points: ?[]float,
          # For each point its date, and its value in words; a host shows both of a point that the user points at.
          dates: ?[]int,
          texts: ?[]string,
          history: ?string,
          last: ?int,
          min: ?float,
          max: ?float,
          baseline: ?float,
          # The place of a point that is marked, 0 first.
          mark: ?int,
          # Image: an icon name or emoji, or a PNG file in base64. An item may have a symbol, too.
          symbol: ?string,
          png: ?string,
          # Button, link and item; a stack with an action is an area to tap.
          title: ?string,
          action: ?string,
          url: ?string,
          # Item: a short text at its end, and more about it; whether it is marked, cannot be chosen, or replaces the item
          # before it while the user holds a key. The host executes the command as the user who chose it, in a terminal if
          # the user wants to see it; with `update` it requests an update afterwards.
          badge: ?string,
          tooltip: ?string,
          checked: ?bool,
          disabled: ?bool,
          alternate: ?bool,
          command: ?[]string,
          terminal: ?bool,
          update: ?bool,
          # Grid.
          columns: ?int,
          children: ?[]View,
          # Stacks: room around the children.
          insets: ?Insets
        )

        # What a widget gives: a summary in one line, a compact view and perhaps an expanded one. Plain text, never markup.
        type Content (
          text: string,
          short: ?string,
          severity: ?Severity,
          # The color of the summary, as in views.
          color: ?string,
          # Further summaries, which a host with one line shows in turn.
          pages: ?[]Page,
          # The program takes clicks on the summary as the actions click-1 to click-9, by the number of the mouse button.
          clicks: ?bool,
          # Numbers by name.
          metrics: ?[string]float,
          icon: ?string,
          # 0 to 100.
          percentage: ?float,
          tooltip: ?string,
          # The program's own words, by which the style sheet of a host knows the content, and by which a host chooses among
          # the icons it is configured with.
          classes: ?[]string,
          variant: ?string,
          compact: ?View,
          expanded: ?View,
          # Room around either view; absent is as the host does it.
          insets: ?Insets,
          # Nothing to show now; the widget goes on being asked.
          empty: ?bool,
          # When to ask next, in microseconds from now.
          nextUpdate: ?int,
          # The height that the widget would like in each display mode, 1 to 200; hosts give it up to the item's `rows`, cut
          # what is more and fill what is less.
          compactRows: ?int,
          expandedRows: ?int,
          relevance: ?Relevance,
          # What is shown later, up to 64 entries, and when to ask again: at the last of these dates (the default), at the date
          # `after`, or never. In an item there is none: its content is the one that is valid now.
          timeline: ?[]TimelineEntry,
          policy: ?(end, after, never),
          after: ?int
        )

        # A summary in one line.
        type Page (text: string, color: ?string)

        # How much a widget matters now, by its own judgement: 0 to 1, until a time.
        type Relevance (score: float, until: ?int)

        # A content which is valid from a date on. It has no timeline of its own.
        type TimelineEntry (date: int, content: Content)

        # A widget as a host shows it.
        type Item (
          id: string,
          name: string,
          points: []ExtensionPoint,
          # The place in the user's order, 0 first.
          position: int,
          # Whether it belongs into the view.
          visible: bool,
          state: State,
          mode: DisplayMode,
          largestMode: DisplayMode,
          # May be shown while the session is locked.
          lockScreen: bool,
          # Has something that SetEditing lets the user change.
          allowsEditing: bool,
          # It is being edited: hosts show Done in place of Info.
          editing: bool,
          # The schemes of the URLs that it may have opened, URLSchemes= of its manifest: a host opens no others for it.
          urlSchemes: []string,
          # The room that it is offered in its mode, in characters of a terminal: Columns=, CompactRows= and ExpandedRows= of
          # todayd.conf.
          columns: int,
          rows: int,
          content: ?Content,
          # Where the content is from: before the first answer, the last answer, Push, or the editor. With `pushed`: who pushed
          # it, and until when it counts.
          source: ?(placeholder, own, pushed, draft),
          pushedBy: ?string,
          expires: ?int,
          # When an update gave the content, and when an update last confirmed it. Buttons, other display modes and
          # editing change neither time.
          taken: ?int,
          confirmed: ?int,
          # The content is older than twice the interval, or than the interval of a stream, in time awake. Hosts must not
          # show it as if it were fresh.
          stale: bool,
          # Until when the widget's own content is fresh. A host turns it stale by itself then.
          freshUntil: ?int,
          # Why the last update failed or what is wrong with the manifest, in words.
          failure: ?string,
          # Of a widget that a choice hides: what shows it.
          cure: ?Cure
        )

        # One run that has ended: a perform-update, a button, another display mode, or a step of editing.
        type Run (
          started: int,
          duration: int,
          reason: (boot, schedule, appear, request, action, editing, mode, defaults, wake, retry),
          result: (newData, noData, failed),
          failure: ?string,
          # How the program ended, in words.
          exit: ?string,
          # The end of its standard error.
          errorOutput: ?string
        )

        # All that is known about a widget besides its content.
        type WidgetStatus (
          id: string,
          name: string,
          description: ?string,
          state: State,
          # Why no content is shown, in words. Absent when content is shown, and for a failing widget: its last
          # update has the reason.
          reason: ?string,
          # Of a widget that a choice hides: what shows it.
          cure: ?Cure,
          # Which layer is shown now, and of pushed content who pushed it and until when it counts.
          shows: ?(placeholder, own, pushed, draft),
          pushedBy: ?string,
          expires: ?int,
          # The manifest's file or the plugin, the drop-ins that were read after it, and what is wrong in them:
          # `file:line: reason`.
          source: ?string,
          dropIns: []string,
          complaints: []string,
          command: []string,
          protocol: ?string,
          points: []ExtensionPoint,
          containingApp: ?string,
          # Neither for a widget without a program. Without an interval, the program runs once for each start of todayd.
          interval: ?int,
          timeout: ?int,
          running: bool,
          # When it will run next; absent while it does not run at all. `waitingFor` says in words what it waits for.
          nextRun: ?int,
          waitingFor: ?string,
          # Counts since the daemon started. `skipped`: updates that were due while the widget was still running.
          # `joined`: updates that a client requested while it was running.
          runs: int,
          failures: int,
          skipped: int,
          joined: int,
          # Failures in a row, up to now.
          failuresInARow: int,
          # When the widget's own last answer becomes stale, or has become so.
          freshUntil: ?int,
          # When what is shown changes without a run: by its timeline, or because a push or an edit ends.
          changes: ?int,
          # What the last run printed, if it failed and todayd has not been restarted since.
          printed: ?Printed,
          # What todayd did not understand of what its program printed last: `line 3: ...`. In memory, too.
          notes: []string,
          # The program of a widget with Stream=yes.
          stream: ?Stream,
          # The newest runs, newest first.
          history: []Run
        )

        # What a program printed to standard output: the beginning, without terminal sequences, and the length of all that
        # was read.
        type Printed (beginning: string, bytes: int, cut: bool)

        # A value that a widget lets its user choose: a line of [Settings] in its manifest.
        type Setting (
          # The name of the variable in which the widget's program gets the value.
          name: string,
          type: (string, number, boolean, choice, secret, list),
          # What it means, for people.
          label: ?string,
          # A default and a value are texts as the program gets them: `true` or `false`, a line for each element of a list.
          default: ?string,
          # The bounds of a number.
          min: ?float,
          max: ?float,
          # What a choice is made from.
          options: ?[]string,
          # Whether the user has set a value that fits.
          isSet: bool,
          # The value that the widget gets: the one that is set, or else the default. Never that of a secret.
          value: ?string,
          # Why a value that was set does not count: the manifest has changed.
          complaint: ?string
        )

        # The last values of one of a widget's numbers, oldest first: at most 1,000, and one a second. The name is that of a
        # metric, or `percentage`. `count` is how many values there are, also if `samples` has fewer.
        type Series (name: string, count: int, samples: []Sample)

        # A value, and when an update or a push gave it. Times go back where the clock was set back.
        type Sample (time: int, value: float)

        # A program that stays and prints an update whenever it has one. `started`: when the newest program was started.
        # Counts since the daemon started: `restarts` is how often a program was started after the first one, `updates`
        # how many updates were taken. `lastEnd` says in words why the last program ended.
        type Stream (running: bool, started: ?int, restarts: int, lastEnd: ?string, lastEndAt: ?int, updates: int)

        # What the daemon says about itself.
        type DaemonStatus (
          version: string,
          instance: (user, system),
          pid: int,
          started: int,
          socket: string,
          stateDirectory: string,
          widgetDirectories: []string,
          # Where it looks for plugins, the strongest first.
          pluginDirectories: []string,
          # How widgets are launched.
          # `ok`, or what is wrong with the database, in words.
          storage: string,
          storageIsFine: bool,
          widgets: int,
          running: int,
          waiting: int,
          concurrency: int,
          connections: int,
          subscribers: int,
          # What is wrong beyond single widgets, as `file:line: reason`: a line of todayd.conf, the name of a file that is
          # no widget's, or a directory that cannot be listed or watched.
          complaints: []string
        )

        # What became of a request to update.
        type UpdateAnswer (
          id: string,
          # `started` and `joined` stream on to a result where `more` was asked for. `deferred`: waits for a free place or
          # for the run before it. `refused`: see `reason`.
          answer: (started, joined, deferred, refused, newData, noData, failed),
          reason: ?string,
          # When it will run, where that is known.
          until: ?int,
          # After an action: what the host is to open, as the user who pressed the button.
          open: ?string
        )

        # Something that happened: a manifest was added, changed or removed; a run was started or has finished; there is a new
        # snapshot; the user or an app has made a choice or changed a group's defaults; the storage is in another condition.
        type Event (
          time: int,
          kind: (added, changed, removed, started, finished, snapshot, choice, defaults, storage),
          id: ?string,
          # One line for people.
          text: string
        )
        """#
}
