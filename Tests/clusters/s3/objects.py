#!/usr/bin/env python3
"""Looks at an object store and fills it by boto3, which knows nothing of splitreel.

Usage: objects.py ENDPOINT BUCKET DEED ...
  put FILE KEY [FILE KEY ...]   stores files
  get KEY FILE                  fetches an object
  list                          prints a JSON object: the keys of all objects, and of all uploads that are not completed
"""
import json
import sys

import boto3

endpoint, bucket, deed, *words = sys.argv[1:]
store = boto3.client(
    "s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test"
)
if deed == "put":
    for file, key in zip(words[::2], words[1::2]):
        store.upload_file(file, bucket, key)
elif deed == "get":
    store.download_file(bucket, words[0], words[1])
elif deed == "list":
    objects = store.list_objects_v2(Bucket=bucket).get("Contents", [])
    uploads = store.list_multipart_uploads(Bucket=bucket).get("Uploads", [])
    print(json.dumps({"objects": [o["Key"] for o in objects], "uploads": [u["Key"] for u in uploads]}))
else:
    sys.exit(f"objects.py: no such deed: {deed}")
