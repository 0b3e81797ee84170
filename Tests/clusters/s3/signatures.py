"""Writes the URLs and signatures that botocore makes of awkward requests to S3, as JSON, for ObjectStorageTests.

Usage: "$(Tests/clusters/venv.sh s3 'moto[server]==5.2.1')/bin/python" Tests/clusters/s3/signatures.py \
           >Tests/clusters/s3/signatures.json
Nothing is sent: the client's own hook takes each request before it leaves.
"""
import datetime
import hashlib
import json
import sys
from urllib.parse import urlsplit

import botocore.auth
import botocore.session
from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.config import Config
from botocore.credentials import Credentials

TIME = datetime.datetime(2026, 2, 28, 23, 59, 7, tzinfo=datetime.timezone.utc)
ENDPOINT = "http://127.0.0.1:9000"
KEY, SECRET, TOKEN = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "FwoGZXIvYXdzE//+aDH=="

KEYS = [
    "film.mp4", "a/b/c.mov", "two words.mp4", "a+b.mp4", "50%.mp4", "50%25.mp4", "ümläut/Ñandú.mp4", "日本/映画.mp4",
    "🎬.mp4", "//double//slash.mp4", "trailing /space ", "~tilde/-dash_under.dot", "q?u=e&r#y;@:,$=!*'()[].mp4",
    "back\\slash|pipe^caret`tick{brace}\"quote<>.mp4", "a\u0301 combining.mp4",
]


def prepared(operation, arguments):
    """The URL and method that the client makes of an operation."""
    session = botocore.session.Session()
    client = session.create_client(
        "s3", region_name="us-east-1", endpoint_url=ENDPOINT, aws_access_key_id=KEY, aws_secret_access_key=SECRET,
        config=Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1}))
    taken = []

    def take(request, **_):
        taken.append(request)
        return AWSResponse(request.url, 200, {}, None)

    client.meta.events.register("before-send.s3.*", take)
    try:
        getattr(client, operation)(Bucket="films.example-1", **arguments)
    except Exception:
        # The empty answer is none that the client understands; the request is there.
        pass
    return taken[0].method, taken[0].url


class Frozen(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return TIME if tz else TIME.replace(tzinfo=None)

    @classmethod
    def utcnow(cls):
        return TIME.replace(tzinfo=None)


def signed(method, url, headers, body, region, token):
    request = AWSRequest(method=method, url=url, headers=dict(headers), data=body)
    request.context["payload_signing_enabled"] = True
    botocore.auth.S3SigV4Auth(Credentials(KEY, SECRET, token), "s3", region).add_auth(request)
    return {name.lower(): value for name, value in request.headers.items()}


def main():
    botocore.auth.datetime.datetime = Frozen
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: Frozen.now(None if remove_tzinfo else TIME.tzinfo)
    cases = []
    operations = [(key, "get_object", {"Key": key}, [["Range", "bytes=0-1048575"], ["If-Match", '"abc-3"']], b"")
                  for key in KEYS]
    upload = "u+p/l=o~ad .1"
    operations += [
        ("film.mp4", "create_multipart_upload", {"Key": "film.mp4"},
         [["Content-Type", "video/mp4"], ["x-amz-meta-splitreel-upload", "00ff  two   spaces "]], b""),
        ("a b+c.mp4", "upload_part",
         {"Key": "a b+c.mp4", "UploadId": upload, "PartNumber": 12, "Body": b"abc"}, [], b"abc"),
        ("film.mp4", "complete_multipart_upload",
         {"Key": "film.mp4", "UploadId": upload, "MultipartUpload": {"Parts": []}},
         [["Content-Type", "application/xml"], ["If-None-Match", "*"]], "<Ümläut/>".encode()),
        ("film.mp4", "abort_multipart_upload", {"Key": "film.mp4", "UploadId": upload}, [], b""),
        ("film.mp4", "head_object", {"Key": "film.mp4"}, [], b""),
        ("film.mp4", "delete_object", {"Key": "film.mp4"}, [], b""),
        ("", "list_multipart_uploads", {"Prefix": "a b/ü&=+.mp4", "MaxUploads": 100}, [], b""),
    ]
    queries = {
        "create_multipart_upload": [["uploads", ""]],
        "upload_part": [["uploadId", upload], ["partNumber", "12"]],
        "complete_multipart_upload": [["uploadId", upload]],
        "abort_multipart_upload": [["uploadId", upload]],
        "list_multipart_uploads": [["uploads", ""], ["prefix", "a b/ü&=+.mp4"], ["max-uploads", "100"]],
    }
    for number, (key, operation, arguments, headers, body) in enumerate(operations):
        method, url = prepared(operation, arguments)
        # What botocore adds of its own accord, and splitreel does not send.
        url = url.replace("&encoding-type=url", "").replace("encoding-type=url&", "").replace("?encoding-type=url", "")
        token = TOKEN if number % 2 else None
        region = ["us-east-1", "eu-central-1"][number % 3 % 2]
        result = signed(method, url, headers, body, region, token)
        parts = urlsplit(url)
        cases.append({
            "key": key, "method": method, "query": queries.get(operation, []), "headers": headers,
            "bodySum": hashlib.sha256(body).hexdigest(), "region": region, "token": token, "host": parts.netloc,
            "path": parts.path, "sentQuery": parts.query, "date": result["x-amz-date"],
            "contentSum": result["x-amz-content-sha256"], "authorization": result["authorization"],
        })
    facts = {
        "madeBy": "botocore " + botocore.__version__, "time": int(TIME.timestamp()), "accessKey": KEY, "secret": SECRET,
        "bucket": "films.example-1",
    }
    lines = ",\n".join("  " + json.dumps(case) for case in cases)
    sys.stdout.write(json.dumps(facts)[:-1] + f', "cases": [\n{lines}\n]}}\n')


main()
