# The digest is what is pulled, whatever the tag comes to mean; it is that of all platforms. For a newer Node change it
# with the one in package.json: `docker buildx imagetools inspect node:<version>-slim` shows its digest.
FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prune-image.cjs scripts/
# The image brings its own Node, so the pinned runtime of the npm scripts goes again. Other optional packages are
# the builds of image libraries for this platform: those stay.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && node scripts/prune-image.cjs node_modules
# The commit, which officers then see at the foot of their pages: docker build --build-arg COMMIT=$(git rev-parse HEAD) .
ARG COMMIT=
RUN echo "$COMMIT" > commit

FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/publichouse.db
# As in deploy/publichouse.service: less memory for little time.
ENV NODE_OPTIONS=--max-semi-space-size=4 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY --from=modules /app/commit /app/package.json ./
COPY src src
COPY views views
COPY migrations migrations
COPY scripts scripts
# What plays other hosts in `npm run demo`.
COPY test/stand-ins test/stand-ins
RUN install -d -m 700 -o node -g node /data && install -d -o node -g node compiled
USER node
# What the container cannot write is compiled here: its start is quicker and takes less memory.
ENV NODE_COMPILE_CACHE=/app/compiled
RUN node scripts/compile.ts
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/health').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["node", "src/main.ts"]
