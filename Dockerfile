# Oka: the daemon with the web app, and workers. docs/guides/deployment.md says how to run it.

FROM node:20.19.5-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN mkdir /packed && npm pack --pack-destination /packed && tar --extract --gzip --directory /packed --file /packed/oka-*.tgz

FROM node:20.19.5-bookworm-slim
# bubblewrap is the sandbox of programs, git is for the tools that use it.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/oka
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force && rm -rf /root/.npm /tmp/*
COPY --from=build /packed/package/ ./
COPY deploy/container/ ./container/
RUN ln -s /opt/oka/container/oka.sh /usr/local/bin/oka \
  && install --directory --owner=1000 --group=1000 --mode=0700 /workspace /oka-home
ENV HOME=/home/node OKA_HOME=/oka-home
USER 1000:1000
WORKDIR /workspace
VOLUME ["/workspace", "/oka-home"]
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --retries=3 \
  CMD ["node", "/opt/oka/container/health.mjs", "daemon"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["oka"]
CMD ["up", "--foreground"]
