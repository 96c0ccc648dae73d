# The service in a container: docker build -t payments . (compose.yaml beside it runs one node).
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# Two packages bring native files for every platform and version of Node (227 MB): the one of this image stays. Sources for debuggers
# and compilers go, and what the bundle in dist/gateway/program already holds.
RUN npm run build && npm prune --omit=dev && \
    find node_modules -name 'uws_*.node' ! -name "$(node -p '`uws_${process.platform}_${process.arch}_${process.versions.modules}.node`')" -delete && \
    find node_modules -name '*.map' -delete && \
    find node_modules -name '*.d.ts' -delete && \
    rm -rf dist/engine dist/persistence && \
    find dist/gateway -mindepth 1 -maxdepth 1 ! -name program ! -name dashboard -exec rm -r {} +

FROM node:24-trixie-slim
LABEL org.opencontainers.image.title="payments" \
      org.opencontainers.image.description="Payments service for Brazil that a company runs itself: PIX, boleto and cards behind one REST API." \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.base.name="docker.io/library/node:24-trixie-slim"
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/docs docs
RUN mkdir /data && chown node:node /data && ln -s /app/dist/gateway/program/main.js /usr/local/bin/payments
USER node
VOLUME /data
EXPOSE 8080
# Whether the process answers, because engines restart what is unhealthy: a node that has lost its NATS servers has to be left alone.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10m \
  CMD ["node", "-e", "require(process.env.TLS_CERT_FILE ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT || 8080, path: '/healthz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Node itself is process 1, so that it hears SIGTERM and answers what is in flight.
CMD ["node", "--v8-pool-size=1", "dist/gateway/program/main.js", "start"]
