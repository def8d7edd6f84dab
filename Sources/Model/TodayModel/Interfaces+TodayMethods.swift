// SPDX-License-Identifier: MIT

extension Interfaces {
    /// The methods and errors of org.todayd.Today, which follow its types.
    static let todayMethods = #"""
        # All widgets in the user's order, including those that are not shown.
        method List(point: ?ExtensionPoint) -> (widgets: []Item)

        # The view: the visible widgets of a point (default: today) in the user's order, with their snapshots; or one
        # widget, visible or not; or those of `ids`, at most 100 and without `id`, in that order. The point lock_screen has
        # only widgets that the user has allowed there. The reply
        # never waits for a program. When a host begins to show a widget that is due, or whose answer is older than
        # UpdateOnAppear= of its manifest, the daemon moves its run forward. With `more`, the first reply has
        # everything. Each later one has only the items that have changed since, and the identifiers of the widgets that
        # have left the view. A client that reads slowly gets the newest state, not every state. If the contents of a
        # view exceed one reply (12 MiB), the largest are left out and their `failure` says so; Show of that widget
        # alone returns its content. A client with `more` may ask for a `heartbeat`: after so many seconds (1 to 3600) without
        # a reply comes one without changes, so that a client that hears nothing for twice as long knows that the daemon
        # hangs.
        method Show(id: ?string, point: ?ExtensionPoint, ids: ?[]string, heartbeat: ?int)
            -> (items: []Item, removed: []string)

        # A picture of a widget's content: the PNG file in base64. Show and List have its name, `image` of a view. Names are
        # per widget: a picture always has the same one there, so a host fetches it once and keeps it by `id` and `image`.
        # The name is a hash of 64 bits, and a widget can make two pictures that share one. Refused if nothing that the widget
        # shows now has it.
        method Picture(id: string, image: string) -> (png: string)

        # Runs the perform-update of one widget, or of all that may run. Without `more`, the reply comes when all runs
        # have ended, or after 40 s; a run that has not ended by then is `started`. With `more`, each answer comes as it
        # happens.
        method Update(id: ?string) -> (answers: []UpdateAnswer)

        # Shows or hides a widget. While the flag is false it is hidden and not launched until the flag is true again.
        method SetHasContent(id: string, hasContent: bool) -> ()

        # The has-content flag of a widget, which SetHasContent changes. True if it has never been set.
        method HasContent(id: string) -> (hasContent: bool)

        # Lets a widget run and be shown again after Disable.
        method Enable(id: string) -> ()

        # Removes a widget from the view; the daemon no longer launches it. Its last content is kept.
        method Disable(id: string) -> ()

        # Moves a widget in the user's order. `before` and `after` need `other`, the widget to pass.
        method Move(id: string, to: (first, last, up, down, before, after), other: ?string) -> (position: int)

        # Chooses the display mode, up to the largest that the widget supports.
        method SetDisplayMode(id: string, mode: DisplayMode) -> ()

        # Lets a widget be shown while the session is locked, or not (the default): in the view of the point lock_screen.
        method SetLockScreen(id: string, allowed: bool) -> ()

        # Presses a button: runs the widget with TODAY_REASON=action and TODAY_ACTION set to `action`, which must occur in
        # its present content. A host that is a locker, or knows that the session is locked, says `locked`: then the widget
        # opens no app, and is told why.
        method PerformAction(id: string, action: string, locked: ?bool) -> (answer: UpdateAnswer)

        # Begins or ends editing. While it is edited, the widget shows an editor in place of its content. With `cancel`,
        # editing ends as if the user had changed nothing. It ends by itself when the widget's process ends, and five
        # minutes after the last call of this method or of PerformAction. Refused if its manifest does not have
        # AllowsEditing=.
        method SetEditing(id: string, editing: bool, cancel: ?bool) -> (answer: UpdateAnswer)

        # Whether a host may open a URL for a widget: it may if the manifest declares the URL's scheme. If not, Refused
        # has the reason, and so if the session is locked. The host opens the URL as the user in front of it; todayd itself
        # opens nothing.
        method OpenURL(id: string, url: string, locked: ?bool) -> ()

        # With what a host executes the command of an item: in this directory, with these variables beside the host's own.
        # They have the values of the widget's settings, so only the user whose daemon it is gets them, and no process of a
        # widget. Refused if its manifest does not have AllowsCommands=, if no item that it shows now has this command, and
        # in the system's instance. The host executes the command as the user in front of it; todayd executes none.
        method PrepareCommand(id: string, command: []string, locked: ?bool) -> (directory: string, environment: [string]string)

        # Gives a widget content from outside, which is shown for `ttl` microseconds or until the next Push. The
        # widget's own content is kept below it. Without `content`, removes the pushed content: the widget's own is
        # shown at once.
        method Push(id: string, content: ?Content, ttl: ?int) -> ()

        # The defaults of an app group. With `more`: all values at once, and again after every change.
        method GetDefaults(group: string) -> (values: [string]object)

        # Sets one value of an app group's defaults; without `value`, removes it. `value` is an object with one key,
        # `value`, because Varlink has no type for any JSON value.
        method SetDefaults(group: string, key: string, value: ?object) -> ()

        # The settings of a widget, in the order of its manifest. Only a client that may set them may read them.
        method Settings(id: string) -> (settings: []Setting)

        # Sets values of a widget's settings, all of them or none, and removes those that `unset` names. A value is a text as
        # a person types it: a boolean is yes or no; a list is words, where quotes keep words together, or lines. The
        # widget runs again with the new values. Refused has the name of a value that does not fit, and the reason.
        method SetSettings(id: string, values: [string]string, unset: ?[]string) -> ()

        # The last values of one of a widget's numbers, or what there is of all. `last` is the most values of each, the
        # newest. Without it, a call with a name gets all of this number, and a call without a name the last one of each. A
        # reply has at most 1,000 values, which all numbers share. A name without values is no error, and gives nothing.
        method History(id: string, name: ?string, last: ?int) -> (series: []Series)

        # The status of the daemon, and of one widget with its last 50 runs, or of all widgets with their last run.
        method Status(id: ?string) -> (daemon: DaemonStatus, widgets: []WidgetStatus)

        # Events as they happen. Needs `more`. The first reply has no events; it says that the client misses none from
        # then on. `lost` counts the events that a client did not get because it read too slowly.
        method Monitor() -> (events: []Event, lost: int)

        # Reads todayd.conf and all manifests again, and replies when that is done. The daemon also notices changes by
        # itself.
        method Reload() -> (widgets: int, complaints: []string)

        # `candidates`: the widgets whose identifier ends in the given word. `nearest`: the most similar one.
        error NoSuchWidget (id: string, candidates: []string, nearest: ?string)

        # No widget belongs to this app group, and nothing is kept for it.
        error NoSuchGroup (group: string)

        # What Push was given is not valid content. `field` is the path to the wrong value.
        error InvalidContent (field: string, reason: string)

        # The daemon does not do it now; `reason` says why.
        error Refused (reason: string)

        # The change is not made, because the disk is full or the database cannot be written. Push is different: its
        # content is visible at once, and the daemon tries again to store it with the next commit.
        error NotStored (reason: string)

        # A limit of the service was reached, for instance connections per user, or 16 MiB in one reply.
        error LimitReached (reason: string)

        """#
}
