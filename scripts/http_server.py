"""Serves the git repositories below a folder over HTTP on this machine, through git's own http-backend."""

import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Hands requests to `git http-backend` as a web server would."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """A request without content."""
        self.answer(b"")

    def do_POST(self):
        """A request with content, sent whole or in chunks."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(body)

    def answer(self, body):
        """Runs the backend and passes on what it says."""
        path, _, query = self.path.partition("?")
        environment = dict(
            os.environ, GIT_PROJECT_ROOT=self.server.root, GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
            QUERY_STRING=query, REQUEST_METHOD=self.command, REMOTE_ADDR="127.0.0.1",
            CONTENT_TYPE=self.headers.get("Content-Type", ""), CONTENT_LENGTH=str(len(body)),
            HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
            GIT_PROTOCOL=self.headers.get("Git-Protocol", ""),
        )
        for name, value in (("safe.directory", "*"), ("uploadpack.allowAnySHA1InWant", "true")):
            count = int(environment.get("GIT_CONFIG_COUNT", 0))
            environment |= {
                "GIT_CONFIG_COUNT": str(count + 1), f"GIT_CONFIG_KEY_{count}": name, f"GIT_CONFIG_VALUE_{count}": value,
            }
        backend = subprocess.run(["git", "http-backend"], input=body, env=environment, stdout=subprocess.PIPE, check=True)
        head, _, content = backend.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(headers.pop("Status", "200 OK").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Says nothing."""


def serve(root):
    """Starts a server for the folder `root`; returns its URL. It ends with the program."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.root = root
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
