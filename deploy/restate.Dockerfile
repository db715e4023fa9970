# The server as it is published, with a data folder that a user without rights may write.
FROM restatedev/restate:1.7.12
RUN install --directory --owner=1000 --group=1000 --mode=0700 /restate-data
USER 1000:1000
VOLUME ["/restate-data"]
