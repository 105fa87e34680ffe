FROM docker.io/library/debian:bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends gcc libc6-dev python3-dev python3-venv \
 && rm -rf /var/lib/apt/lists/* \
 && python3 -m venv /opt/centella
WORKDIR /src
COPY . .
RUN /opt/centella/bin/pip install --no-cache-dir . \
 && /opt/centella/bin/pip uninstall --yes pip setuptools

FROM docker.io/library/debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --gid 0 --no-create-home --home-dir /data --shell /usr/sbin/nologin centella \
 # Any uid may be given at run time, so any uid may write here.
 && install --directory --owner centella --group root --mode 1777 /data
COPY --from=build /opt/centella /opt/centella
ENV PATH=/opt/centella/bin:$PATH \
    HOME=/data \
    CENTELLA_DATA=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
# The results, the log and config.yml.
VOLUME /data
WORKDIR /data
USER 10001
EXPOSE 8080
# Bad when a stream to the site has been dead for watch.dead_after_s. For `server` alone, add --no-healthcheck.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["centella", "health"]
ENTRYPOINT ["centella"]
CMD ["local", "--host", "0.0.0.0", "--no-browser"]
