# Callwright in one container, with its own PostgreSQL unless DATABASE_URL names another. scripts/image.sh collects the
# program in dist/image first: ./scripts/image.sh files && docker build -t callwright .
FROM debian:bookworm-slim AS root

RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    ca-certificates tini \
    espeak-ng flite libpocketsphinx3 libsphinxbase3 pocketsphinx-en-us libspeexdsp1 \
  && useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin callwright \
  && install -d -o callwright -g callwright -m 0700 /data \
  && ln -s /opt/callwright/node_modules/callwright/bin/callwright /usr/local/bin/callwright
# What the program does not use: the package manager with Perl, documentation, locales, tools for file systems and certificates,
# and the large language model of PocketSphinx, as the program brings grammars. /var/lib/dpkg/status stays for scanners.
RUN rm -rf /usr/bin/apt* /usr/lib/apt /usr/lib/*-linux-gnu/libapt-* /var/lib/apt /var/lib/dpkg/info /var/cache/* \
    /usr/bin/perl* /usr/lib/*-linux-gnu/perl-base /usr/lib/*-linux-gnu/gconv /var/log/* /usr/share/doc /usr/share/man \
    /usr/share/locale /usr/share/X11/locale /usr/share/zoneinfo/right \
    /usr/share/pocketsphinx/model/en-us/en-us.lm.bin \
    /usr/bin/tini-static /usr/bin/speak-ng /usr/bin/openssl /usr/bin/gpgv /usr/bin/localedef \
    /usr/sbin/e2fsck /usr/sbin/fsck.ext* /usr/sbin/mke2fs /usr/sbin/mkfs.ext* /usr/sbin/debugfs /usr/sbin/resize2fs
COPY dist/image /opt/callwright

FROM scratch
COPY --from=root / /
# The image with the English pack names the folder of the pack, which is read-only.
ARG MODELS_DIR=/data/models
# HOST and SIP_HOST: what is reached from outside is decided where the container is started.
ENV PATH=/usr/local/bin:/usr/bin:/bin DATA_DIR=/data MODELS_DIR=$MODELS_DIR HOME=/data HOST=0.0.0.0 SIP_HOST=0.0.0.0 PORT=8080
VOLUME /data
WORKDIR /data
USER 10001:10001
EXPOSE 8080/tcp 5060/tcp 5060/udp
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/opt/callwright/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# tini is process 1: it passes SIGTERM on to the program, which stops its own database last, and collects orphans.
ENTRYPOINT ["/usr/bin/tini", "--", "callwright"]
CMD ["start"]
