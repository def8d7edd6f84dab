// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Import

/// What belongs to a program that is below the home.
struct ProgramPlacesTests {
    private func own(
        _ command: String, _ machine: Machine, _ consent: SandboxConsent = .wishes([])
    ) -> [String] {
        var machine = machine
        machine.variables["PATH"] = "/usr/bin:/home/ada/.local/bin"
        return SandboxWishes(ofCommand: command, machine.importFiles).dropIn(consent, isSystem: false)
            .split(separator: "\n").dropFirst(3).map(String.init)
    }

    private static let venv = "/home/ada/.local/share/pipx/venvs/weather"

    /// As pip, pipx and uv install a program.
    private var environment: Machine {
        var machine = Machine([
            "\(Self.venv)/pyvenv.cfg": "home = /usr/bin\n",
            "\(Self.venv)/bin/weather":
                "#!\(Self.venv)/bin/python\n    from weather.app import main\nsys.exit(main())\n",
            "\(Self.venv)/lib/python3.11/site-packages/weather/app.py": "import sys, requests\nopen(\"~/city\")\n",
            "\(Self.venv)/lib/python3.11/site-packages/requests/__init__.py": "import socket\ncurl\n",
        ])
        machine.directories["\(Self.venv)/lib"] = [
            ImportFiles.Entry(name: "site", isDirectory: true),
            ImportFiles.Entry(name: "python3.11", isDirectory: true),
        ]
        return machine
    }

    @Test func aVirtualEnvironmentIsAWhole() {
        #expect(own("\(Self.venv)/bin/weather", environment) == ["ReadPaths=-%h/.local/share/pipx/venvs/weather"])
        #expect(own("\(Self.venv)/bin/python -c 1", environment) == [], "what is no file is no program")
        var linked = environment
        linked.links["/home/ada/.local/bin/weather"] = "\(Self.venv)/bin/weather"
        linked.files["/home/ada/.local/bin/weather"] = linked.files["\(Self.venv)/bin/weather"]
        #expect(
            own("weather --now", linked)
                == ["ReadPaths=-%h/.local/bin", "ReadPaths=-%h/.local/share/pipx/venvs/weather"])
    }

    @Test func eachProgramOfACommandHasItsOwn() {
        var machine = environment
        machine.files["/home/ada/.local/lib/python3.11/site-packages/old.py"] = []
        machine.directories["/home/ada/.local/lib"] = [ImportFiles.Entry(name: "python3.11", isDirectory: true)]
        machine.files["/home/ada/w"] = Array("import old\n".utf8)
        #expect(
            own("\(Self.venv)/bin/weather | ~/w", machine)
                == [
                    "ReadPaths=-%h/.local/share/pipx/venvs/weather",
                    "ReadPaths=-%h/.local/lib/python3.11/site-packages",
                ])
    }

    /// What belongs to one program needs no question because another one's first line names it as well.
    @Test func anInterpreterIsNamedOnce() {
        var machine = environment
        let script = Array("#!\(Self.venv)/bin/python\n".utf8)
        (machine.files["/home/ada/bin/a"], machine.files["/home/ada/bin/b"]) = (script, script)
        let two = SandboxWishes(ofCommand: "~/bin/a; ~/bin/b", machine.importFiles)
        #expect(two.evidence == [.files: "~/.local/share/pipx/venvs/weather"])
        let own = "ReadPaths=-%h/.local/share/pipx/venvs/weather"
        #expect(self.own("~/bin/a; \(Self.venv)/bin/weather", machine) == ["ReadPaths=-%h/bin", own])
    }

    /// What an installer writes calls a module, whose text tells more.
    @Test func theModuleOfAScriptTells() {
        let wishes = SandboxWishes(ofCommand: "\(Self.venv)/bin/weather", environment.importFiles)
        #expect(wishes.evidence == [.network: "requests", .files: "~/city"])
        let plugin = SandboxWishes(
            ofProgram: Array("#!/usr/bin/python3\nimport weather.app\n".utf8), environment.importFiles)
        #expect(plugin == SandboxWishes(), "a module of another program")
        var longer = environment
        longer.files["\(Self.venv)/bin/weather"]? += Array(String(repeating: "#\n", count: 500).utf8)
        let own = SandboxWishes(ofCommand: "\(Self.venv)/bin/weather", longer.importFiles)
        #expect(own.evidence.isEmpty, "a library says little of a script with a text of its own")
    }

    /// The modules of a package that a script only calls are its program, and other packages are not.
    @Test func theModulesOfAProgramTell() {
        func words(_ files: [String: String], _ call: String = "from w.cli import main") -> [SandboxWish: String] {
            let site = "/home/ada/.local/lib/python3.11/site-packages"
            var machine = Machine(["/home/ada/weather": "\(call)\nsys.exit(main())\n"])
            machine.directories["/home/ada/.local/lib"] = [ImportFiles.Entry(name: "python3.11", isDirectory: true)]
            for (path, text) in files { machine.files["\(site)/\(path)"] = Array(text.utf8) }
            var wishes = SandboxWishes(ofCommand: "/home/ada/weather", machine.importFiles).evidence
            wishes[.files] = nil
            return wishes
        }
        let cases: [([String: String], SandboxWish?)] = [
            (["w/cli.py": "from .part import get\n", "w/part.py": "import requests\n"], .network),
            (["w/cli.py": "from w.part import (get,\n", "w/part/__init__.py": "import requests\n"], .network),
            (["w/cli.py": "from . import part\n", "w/part.py": "import requests\n"], .network),
            (["w/cli.py": "  from . import x, part\n", "w/part.py": "import requests\n"], .network),
            (
                [
                    "w/cli/__init__.py": "from ..a import b\n", "w/a.py": "from .c.d import e\n",
                    "w/c/d.py": "import dbus\n",
                ],
                .session
            ),
            (["w/cli.py": "from w import cli\nfrom .cli import x\n"], nil),
            (["w/cli.py": "from other.part import get\n", "other/part.py": "import requests\n"], nil),
            (["w/cli.py": "import part\n", "part.py": "import requests\n"], nil),
            (["w/cli.py": "from ...part import x\n", "part.py": "import requests\n"], nil),
        ]
        #expect(words(["w.py": "import requests\n"], "import w").isEmpty, "a library")
        #expect(words(["w.py": "import requests\n"], "from w import main").isEmpty == false)
        for (files, wish) in cases { #expect(Array(words(files).keys) == (wish.map { [$0] } ?? []), "\(files)") }
    }

    @Test func thePackagesOfTheUserAreSeen() {
        var machine = Machine([
            "/home/ada/.local/lib/python3.11/site-packages/requests/__init__.py": "",
            "/home/ada/.local/lib/python3.9/site-packages/old.py": "",
            "/home/ada/w": "#!/usr/bin/env python3\nimport os\nimport  sys,requests\n",
            "/home/ada/old": "\tfrom old import requests\n", "/home/ada/none": "import os\nfrom . import x\n",
            "/home/ada/elf": "\u{0}\nimport requests\n",
            "/home/ada/many": (0..<300).map { "import a\($0)\n" }.joined() + "import requests\n",
        ])
        machine.directories["/home/ada/.local/lib"] = [
            ImportFiles.Entry(name: "python3.9", isDirectory: true),
            ImportFiles.Entry(name: "python3.11", isDirectory: true), ImportFiles.Entry(name: "pkgconfig"),
        ]
        #expect(own("~/w", machine) == ["ReadPaths=-%h/.local/lib/python3.11/site-packages"])
        #expect(own("~/old", machine) == ["ReadPaths=-%h/.local/lib/python3.9/site-packages"])
        #expect(own("~/none; ~/elf; ~/many", machine) == [])
        let plugin = SandboxWishes(ofProgram: Array("import requests\n".utf8), machine.importFiles)
        #expect(
            plugin.dropIn(.wishes([]), isSystem: false)
                .hasSuffix("Level=strict\nReadPaths=-%h/.local/lib/python3.11/site-packages\n"))
    }

    /// An interpreter in the home has its libraries beside it, whichever links lead to it. The text of a script chooses it, so
    /// that the user is asked: `#!/home/ada/.ssh/x` would open any directory.
    @Test func anInterpreterHasItsLibraries() {
        var machine = Machine([
            "/home/ada/w": "#!/home/ada/py/bin/python3 -s\n", "/srv/cpython-3.12.4/bin/python3.12": "",
        ])
        machine.links["/home/ada/py/bin/python3"] = "/srv/cpython-3.12.4/bin/python3.12"
        machine.steps["/home/ada/py/bin/python3"] = ["/home/ada/py/../uv/cpython-3.12/bin/python3.12"]
        #expect(own("~/w", machine) == [])
        #expect(
            own("~/w", machine, .wishes([.files]))
                == [
                    "%h/py/bin", "%h/py/lib", "%h/uv/cpython-3.12/bin", "%h/uv/cpython-3.12/lib",
                    "/srv/cpython-3.12.4/bin", "/srv/cpython-3.12.4/lib", "%h/w",
                ].map { "ReadPaths=-\($0)" })
        machine.files["/home/ada/py/conda-meta/history"] = []
        #expect(own("~/w", machine, .wishes([.files])).first == "ReadPaths=-%h/py")
        let plugin = SandboxWishes(ofProgram: machine.files["/home/ada/w"] ?? [], machine.importFiles)
        #expect(plugin.evidence[.files]?.hasPrefix("~/py ~/uv/cpython-3.12/bin ") == true)
        machine.files["/home/ada/w"] = Array("#!/usr/bin/env /home/ada/py/bin/python3\n".utf8)
        #expect(own("~/w", machine) == [])
    }

    @Test func aProgramOfNodeHasItsPackages() {
        var machine = Machine(["/home/ada/.local/bin/weather": "#!/usr/bin/env node\n"])
        machine.links["/home/ada/.local/bin/weather"] = "/home/ada/.local/lib/node_modules/@ada/weather/bin/cli.js"
        #expect(own("weather", machine) == ["ReadPaths=-%h/.local/bin", "ReadPaths=-%h/.local/lib/node_modules"])
    }
}
