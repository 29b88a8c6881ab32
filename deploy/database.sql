-- The database of compose.yaml: a user of its own, who is no superuser.
CREATE ROLE polara LOGIN;
CREATE DATABASE polara OWNER polara;
