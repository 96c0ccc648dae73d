# The service in a container: docker build -t payments . (compose.yaml beside it runs one node).
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-trixie-slim
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
# Node itself is process 1, so that it hears SIGTERM and answers what is in flight.
CMD ["node", "--v8-pool-size=1", "dist/gateway/program/main.js", "start"]
