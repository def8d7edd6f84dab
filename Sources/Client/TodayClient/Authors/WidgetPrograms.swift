// SPDX-License-Identifier: MIT

/// The programs of widgets to begin with, by protocol and language.
extension WidgetTemplate {
    static let textInShell = """
        #!/bin/sh
        # The load of this machine. The first line is the summary; all lines together are the view.
        set -eu

        read -r one five fifteen rest </proc/loadavg
        echo "Load $one"
        echo " 1 min  $one"
        echo " 5 min  $five"
        echo "15 min  $fifteen"

        """

    static let textInPython = """
        #!/usr/bin/env python3
        \"""The load of this machine. The first line is the summary; all lines together are the view.\"""

        import os

        averages = os.getloadavg()
        print(f"Load {averages[0]:.2f}")
        for minutes, average in zip((1, 5, 15), averages):
            print(f"{minutes:2} min  {average:.2f}")

        """

    static let textInSwift = #"""
        #!/usr/bin/env swift
        // The load of this machine. The first line is the summary; all lines together are the view.
        // A widget that is compiled, and stays between its runs, is a package with TodayKit: docs/writing-widgets.md.

        import Glibc

        var averages = [0.0, 0.0, 0.0]
        guard getloadavg(&averages, 3) == 3 else {
            perror("getloadavg")
            exit(1)
        }
        let texts = averages.map { "\(($0 * 100).rounded() / 100)" }
        print("Load \(texts[0])")
        for (minutes, text) in zip([" 1", " 5", "15"], texts) { print("\(minutes) min  \(text)") }

        """#

    static let jsonInShell = #"""
        #!/bin/sh
        # A counter, which a button increases. The widget runs in a directory of its own, where it keeps the count.
        set -eu

        count=$(cat count 2>/dev/null || echo 0)
        if [ "${TODAY_ACTION:-}" = more ]; then
            count=$((count + 1))
            echo "$count" >count
        fi

        # todayd.content(5) has all fields and views.
        cat <<JSON
        {
          "text": "Counted to $count",
          "icon": "🔢",
          "compact": ["Counted to $count", {"type": "button", "title": "One more", "action": "more"}],
          "expanded": [
            {"type": "text", "text": "Counted to $count", "style": "headline"},
            "The button runs this program with TODAY_ACTION=more.",
            {"type": "button", "title": "One more", "action": "more"}
          ]
        }
        JSON

        """#

    static let jsonInPython = """
        #!/usr/bin/env python3
        \"""A counter, which a button increases. The widget runs in a directory of its own, where it keeps the count.\"""

        import json
        import os
        import pathlib

        file = pathlib.Path("count")
        count = int(file.read_text()) if file.exists() else 0
        if os.environ.get("TODAY_ACTION") == "more":
            count += 1
            file.write_text(str(count))

        summary = f"Counted to {count}"
        button = {"type": "button", "title": "One more", "action": "more"}
        content = {  # todayd.content(5) has all fields and views
            "text": summary,
            "icon": "🔢",
            "compact": [summary, button],
            "expanded": [
                {"type": "text", "text": summary, "style": "headline"},
                "The button runs this program with TODAY_ACTION=more.",
                button,
            ],
        }
        print(json.dumps(content))

        """

    static let jsonInSwift = #"""
        #!/usr/bin/env swift
        // A counter, which a button increases. The widget runs in a directory of its own, where it keeps the count.
        // A widget that is compiled, and stays between its runs, is a package with TodayKit: docs/writing-widgets.md.

        import Glibc

        var count = freopen("count", "r", stdin) == nil ? 0 : Int(readLine() ?? "") ?? 0
        if let action = getenv("TODAY_ACTION"), String(cString: action) == "more" {
            count += 1
            if let file = fopen("count", "w") {
                fputs("\(count)\n", file)
                fclose(file)
            }
        }

        // todayd.content(5) has all fields and views.
        print(
            """
            {
              "text": "Counted to \(count)",
              "icon": "🔢",
              "compact": ["Counted to \(count)", {"type": "button", "title": "One more", "action": "more"}],
              "expanded": [
                {"type": "text", "text": "Counted to \(count)", "style": "headline"},
                "The button runs this program with TODAY_ACTION=more.",
                {"type": "button", "title": "One more", "action": "more"}
              ]
            }
            """)

        """#

    static let varlinkInPython = #"""
        #!/usr/bin/env python3
        """A counter that stays between calls. todayd sends calls on descriptor 3, and a NUL byte ends each message."""

        import json
        import pathlib
        import socket

        file = pathlib.Path("count")  # in the widget's own directory, where it is started
        count = int(file.read_text()) if file.exists() else 0


        def content():
            button = {"type": "button", "title": "One more", "action": "more"}
            summary = f"Counted to {count}"
            return {"text": summary, "icon": "🔢", "compact": [summary, button]}


        def press(action):
            global count
            if action == "more":
                count += 1
                file.write_text(str(count))


        def reply(method, parameters):
            match method.removeprefix("org.todayd.Widget."):
                case "PerformAction":
                    press(parameters["action"])
                case "PerformUpdate" | "DisplayModeDidChange":
                    pass
                case _:
                    return {"error": "org.varlink.service.MethodNotFound", "parameters": {"method": method}}
            return {"parameters": {"update": {"result": "newData", "content": content()}}}


        todayd = socket.socket(fileno=3)
        received = b""
        while data := todayd.recv(65536):  # nothing when todayd needs this process no more
            received += data
            while b"\0" in received:
                message, _, received = received.partition(b"\0")
                call = json.loads(message)
                answer = reply(call["method"], call["parameters"])
                if not call.get("oneway"):  # todayd tells who looks, and wants no answer to that
                    todayd.sendall(json.dumps(answer).encode() + b"\0")

        """#
}
