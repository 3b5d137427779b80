# baton without a screen:
#
#   docker build --tag baton .
#   docker run --rm baton run -p 'say hello'
#   docker run --rm --env WORK_API_KEY --volume baton:/home/baton baton run --base-url https://llm.example.com/v1 \
#     --model large-1 --api-key-env WORK_API_KEY -p 'say hello'
#
# The image holds the program, the roots of trust and a home, and nothing else: no shell, no root. Sessions stay in
# the home; a volume keeps them. Another --user needs a home that it may write into:
#
#   docker run --rm --user "$(id -u)" --volume "$HOME/baton:/home/baton" baton run -p 'say hello'
#
# Nothing else is written, so that --read-only is fine. docker stop ends a turn at once with exit code 143; its prompt
# stays in the session, and run --continue sends it again.

FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=devel
ARG COMMIT=
ARG DATE=
# timetzdata: there is no zone database in an empty image, and without one TZ would be passed over in silence.
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags timetzdata \
      -ldflags "-s -w -X main.version=${VERSION} -X main.commit=${COMMIT} -X main.date=${DATE}" -o /out/baton . \
 && mkdir /out/home

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/baton /usr/bin/
COPY --from=build --chown=65532:65532 /out/home /home/baton
ENV HOME=/home/baton
USER 65532:65532
WORKDIR /home/baton
VOLUME /home/baton
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/baton"]
CMD ["--help"]
