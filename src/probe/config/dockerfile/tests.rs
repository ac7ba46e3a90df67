use crate::probe::config::tests::{failure, read};

#[test]
fn instructions_of_several_stages() {
    let text = "# syntax=docker/dockerfile:1\nFROM --platform=linux/amd64 golang:1.23 AS build\nrun go build\n\nFROM scratch\nCOPY --from=build /a /a\nUSER app:app\nEXPOSE 80 443/udp\nENTRYPOINT [\"/a\", \"-v\"]\nCMD [\"serve\"]\n";
    assert_eq!(
        read("Dockerfile", text),
        [
            "2 FROM = golang:1.23",
            "3 RUN = go build",
            "5 FROM = scratch",
            "6 COPY = --from=build /a /a",
            "7 USER = app:app",
            "8 EXPOSE = 80 443/udp",
            "9 ENTRYPOINT = [\"/a\", \"-v\"]",
            "10 CMD = [\"serve\"]",
        ]
    );
}

#[test]
fn names_stand_on_their_own_lines() {
    let text = "ENV A=1 \\\n    B=\"two words\" \\\n    C=a\\ b\nENV D the old  form\nARG E\nARG F=1 G\nENV H='x=\"y\"'\n";
    assert_eq!(
        read("Dockerfile", text),
        [
            "1 ENV.A = 1",
            "2 ENV.B = two words",
            "3 ENV.C = a b",
            "4 ENV.D = the old  form",
            "5 ARG.E = ",
            "6 ARG.F = 1",
            "6 ARG.G = ",
            "7 ENV.H = x=\"y\"",
        ]
    );
}

#[test]
fn continued_lines_are_joined_without_their_comments() {
    let text =
        "RUN apt-get update && \\\n    # why\n\n    apt-get install -y \\\n      curl\nUSER root\n";
    assert_eq!(
        read("Dockerfile", text),
        [
            "1-5 RUN = apt-get update && apt-get install -y curl",
            "6 USER = root"
        ]
    );
}

#[test]
fn here_documents_belong_to_their_instruction() {
    let text = "RUN <<EOF\nUSER nobody\nEOF\nCOPY <<-\"A\" <<B /etc/\n\tx\n\tA\ny\nB\nRUN cat <<< word && echo $((1 <<2))\nUSER app\n";
    assert_eq!(
        read("Dockerfile", text),
        [
            "1-3 RUN = <<EOF\nUSER nobody",
            "4-8 COPY = <<-\"A\" <<B /etc/\n\tx\ny",
            "9 RUN = cat <<< word && echo $((1 <<2))",
            "10 USER = app",
        ]
    );
}

#[test]
fn another_escape_character() {
    let text = "# escape=`\nFROM windows\nRUN dir `\n  C:\\\nUSER app\n";
    assert_eq!(
        read("Dockerfile", text),
        ["2 FROM = windows", "3-4 RUN = dir C:\\", "5 USER = app"]
    );
}

#[test]
fn windows_line_ends() {
    let text = "FROM a\r\nRUN b \\\r\n  c\r\nUSER d\r\n";
    assert_eq!(
        read("Dockerfile", text),
        ["1 FROM = a", "2-3 RUN = b c", "4 USER = d"]
    );
}

#[test]
fn what_is_no_instruction_is_reported_and_the_rest_is_read() {
    let (entries, line) = failure("Dockerfile.j2", "FROM a\n{% if x %}\nUSER b\n{% endif %}\n");
    assert_eq!(entries, ["1 FROM = a", "3 USER = b"]);
    assert_eq!(line, 2);
}

#[test]
fn an_open_here_document_is_reported() {
    let (entries, line) = failure("Dockerfile", "FROM a\nRUN <<EOF\nx\n");
    assert_eq!(entries, ["1 FROM = a", "2-3 RUN = <<EOF\nx"]);
    assert_eq!(line, 2);
}
