// SPDX-License-Identifier: MIT

/// The programs for the protocols of other hosts. Each shows the load of the machine.
extension WidgetTemplate {
    private static let readLoad = """
        set -eu

        read -r one five fifteen rest </proc/loadavg
        """

    static func menuInShell(host: String) -> String {
        """
        #!/bin/sh
        # The load of this machine, as a plugin for \(host): the lines before --- are for the bar, those after it the menu.
        \(readLoad)
        echo "Load $one | color=orange"
        echo "---"
        echo "5 min: $five"
        echo "15 min: $fifteen"
        echo "Update now | refresh=true"

        """
    }

    static let i3blocksInShell = """
        #!/bin/sh
        # The load of this machine, as a script for i3blocks: the text, the short text and the colour.
        \(readLoad)
        echo "Load $one"
        echo "$one"
        echo "#ff8000"

        """

    static let waybarInShell = """
        #!/bin/sh
        # The load of this machine, as a custom module of Waybar: one JSON object in one line.
        \(readLoad)
        printf '{"text": "Load %s", "tooltip": "5 min %s", "class": "good"}\\n' "$one" "$five"

        """

    static let nagiosInShell = """
        #!/bin/sh
        # The load of this machine, as a monitoring plugin: a line, numbers after |, and the status 0, 1, 2 or 3.
        \(readLoad)
        echo "LOAD OK - $one | load1=$one;8;16;0 load5=$five;8;16;0"
        exit 0

        """

    static let genmonInShell = """
        #!/bin/sh
        # The load of this machine, as a script for xfce4-genmon.
        \(readLoad)
        echo "<txt>Load $one</txt>"
        echo "<tool>5 min: $five</tool>"

        """

    static let keyvalueInShell = """
        #!/bin/sh
        # The load of this machine: one field of content in each line.
        \(readLoad)
        echo "text=Load $one"
        echo "tooltip=5 min $five"
        echo "metric.load1=$one"

        """
}
