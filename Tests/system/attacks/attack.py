# SPDX-License-Identifier: MIT
"""Functions of all attacks: a private todayd, calls to it, and processes of another user.

Each attack is a program beside this file; Tests/system/attacks/all runs them. They need root, to become another user.
"""
import contextlib, json, os, resource, signal, socket, struct, subprocess, sys, tempfile, time

NOBODY = 65534
PROGRAMS = os.environ["TODAY_PROGRAMS"]


def fail(reason):
    sys.exit(f"not ok - {os.path.basename(sys.argv[0])}: {reason}")


def check(holds, reason):
    if not holds:
        fail(reason)


def eventually(holds, reason, seconds=10):
    """Waits until the condition holds, and fails if it does not. The reason may be a function, which is asked then."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            fail(reason() if callable(reason) else reason)
        time.sleep(0.01)


class Failed(Exception):
    """An error in a reply of the daemon."""


class Client:
    """A connection for one call after the other."""

    def __init__(self, path, seconds=30):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Not settimeout(): with it, Python's connect() fails at once when the backlog is full.
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self.socket.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", seconds, 0))
        self.socket.connect(path)
        self.input = b""

    def send(self, method, parameters=None, **more):
        message = {"method": f"org.todayd.Today.{method}", "parameters": parameters or {}, **more}
        self.socket.sendall(json.dumps(message).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.input:
            more = self.socket.recv(1 << 20)
            if not more:
                raise ConnectionError("the daemon has closed the connection")
            self.input += more
        message, self.input = self.input.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, parameters=None):
        self.send(method, parameters)
        reply = self.receive()
        if "error" in reply:
            raise Failed(reply["error"], reply.get("parameters"))
        return reply.get("parameters", {})

    def close(self):
        self.socket.close()


class Daemon:
    """A private todayd to which each user can connect, like the system instance."""

    def __init__(self, widgets=None, instance="system"):
        self.root = tempfile.TemporaryDirectory(prefix="today-attack-")
        self.path = self.root.name
        os.chmod(self.path, 0o755)
        self.socket = f"{self.path}/socket"
        self.state = f"{self.path}/state"
        self.widgets = f"{self.path}/widgets"
        self.instance = instance
        self.process = None
        self.group = None
        self.user = None
        self.environment = dict(os.environ)
        os.mkdir(self.widgets)
        # Widgets attack with all rights of their user, unless the attack is one on their sandbox.
        with open(f"{self.path}/todayd.conf", "w") as file:
            file.write("[Daemon]\nDefaultSandbox=none\n")
        for name, text in (widgets or {}).items():
            self.add(name, text)

    def add(self, name, text):
        with open(f"{self.widgets}/{name}", "w") as file:
            file.write(text)
        if text.startswith("#!"):
            os.chmod(f"{self.widgets}/{name}", 0o755)

    def run_as(self, uid, environment):
        """Has todayd run as an ordinary user, to whom its files belong, with these variables."""
        self.user = uid
        self.environment.update(environment)
        os.mkdir(self.state)
        for path, _, names in os.walk(self.path):
            for each in [path, *(f"{path}/{name}" for name in names)]:
                os.chown(each, uid, uid)

    def __enter__(self):
        self.start()
        return self

    def start(self, seconds=30):
        self.log = open(f"{self.path}/log", "ab")
        self.group = self.group or delegated_group()
        into, delegated = [], []
        if self.group:
            into = ["/bin/sh", "-c", 'echo 0 >"$0/cgroup.procs" && exec "$@"', self.group]
            delegated = ["--delegated"]
        if self.user:
            into += ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]
            for name in (".", "cgroup.procs", "cgroup.subtree_control") if self.group else ():
                os.chown(f"{self.group}/{name}", self.user, self.user)
        self.process = subprocess.Popen(
            [*into, f"{PROGRAMS}/todayd", f"--{self.instance}", *delegated, "--socket", self.socket, "--state", self.state,
             "--widgets", self.widgets], stderr=self.log, stdout=self.log, stdin=subprocess.DEVNULL,
            env=self.environment)
        eventually(self.answers, f"todayd does not start: {self.said()}", seconds)

    def answers(self):
        check(self.process.poll() is None, f"todayd has ended: {self.said()}")
        try:
            client = Client(self.socket, 1)
        except OSError:
            return False
        client.close()
        return True

    def said(self):
        with open(f"{self.path}/log", errors="replace") as log:
            return log.read()

    def call(self, method, parameters=None):
        client = Client(self.socket)
        try:
            return client.call(method, parameters)
        finally:
            client.close()

    def todayctl(self, *arguments, **more):
        return subprocess.run(
            [f"{PROGRAMS}/todayctl", "--socket", self.socket, *arguments], capture_output=True, text=True, timeout=60,
            **more)

    def kill(self):
        """Ends it like a crash."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        check(self.process.wait(30) == 0, f"todayd has ended badly: {self.said()}")

    def __exit__(self, kind, *_):
        if self.process.poll() is None and kind is not None:
            self.kill()
        elif self.process.poll() is None:
            self.stop()
        self.log.close()
        self.root.cleanup()
        if self.group:
            remove_group(self.group)


def delegated_group():
    """A new control group below that of this process; None where it may make none."""
    with open("/proc/self/cgroup") as file:
        own = next(line for line in file if line.startswith("0::"))[3:].strip().rstrip("/")
    with open("/proc/self/mountinfo") as file:
        fields = [line.split() for line in file]
    for place in [entry[4] for entry in fields if entry[3] == "/" and entry[entry.index("-") + 1] == "cgroup2"]:
        with contextlib.suppress(OSError):
            return tempfile.mkdtemp(prefix="today-attack-", dir=f"{place}{own}")
    return None


def needs_groups():
    """Ends the attack where a daemon would get no control group."""
    group = delegated_group()
    if not group:
        print("# skip: no control groups can be made here")
        sys.exit()
    os.rmdir(group)


def remove_group(group):
    """Ends what is left in a group, and removes it."""
    with open(f"{group}/cgroup.kill", "w") as file:
        file.write("1")

    def is_gone():
        for path, _, _ in os.walk(group, topdown=False):
            with contextlib.suppress(OSError):
                os.rmdir(path)
        return not os.path.exists(group)

    eventually(is_gone, f"{group} has processes that do not end")


@contextlib.contextmanager
def another(body, count=1, uid=NOBODY, seconds=60):
    """`count` processes of another user that run `body` until the block ends, and at most for `seconds`."""
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            signal.alarm(seconds)
            # Raise the limit before the change of the user, who may not raise it.
            resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            try:
                body()
            finally:
                os._exit(0)
        children.append(child)
    try:
        yield children
        for child in children:
            check(os.waitpid(child, os.WNOHANG) == (0, 0), "the attack has ended before its time")
    finally:
        for child in children:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
