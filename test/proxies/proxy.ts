import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blocksOf, readDocument } from '../docs/documents.ts'
import type { Scope } from '../e2e/service.ts'
import { sleep } from '../gateway/wire/wire.ts'
import { lastingPort } from '../lasting-port.ts'
import { localhostTls } from '../localhost-tls.ts'
import { type ProxyProgram, proxyEnvironment, proxyProgram } from './programs.ts'

export type RunningProxy = { readonly origin: string; readonly log: () => string }

/** A configuration that listens on `port` and passes on to the service at `servicePort`. */
export type Configuration = {
  readonly program: ProxyProgram
  readonly isSecure: boolean
  readonly text: (port: number, servicePort: number, folder: string) => string
}

/** The configuration that the page prints, with the test's ports and certificate in the place of its own. */
const printed = (file: string): string =>
  blocksOf(readDocument('en/proxies.md')).find(({ fileName }) => fileName === file)!.text

const nginxHead = (folder: string): string =>
  `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}\n`
const nginxTemporary = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')

export const configurations: Readonly<Record<string, Configuration>> = {
  'nginx as printed': {
    program: 'nginx',
    isSecure: true,
    text: (port, servicePort, folder) => {
      const server = printed('nginx.conf')
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('pay.example.com;', 'localhost;')
        .replace(/\/etc\/letsencrypt\S+fullchain.pem/, localhostTls.certFile)
        .replace(/\/etc\/letsencrypt\S+privkey.pem/, localhostTls.keyFile)
        .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
      return `${nginxHead(folder)}http { access_log off; ${nginxTemporary(folder)}\n${server}\n}`
    },
  },
  'nginx by default': {
    program: 'nginx',
    isSecure: false,
    text: (port, servicePort, folder) =>
      `${nginxHead(folder)}http { access_log off; ${nginxTemporary(folder)}
        server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${servicePort}; } } }`,
  },
  'HAProxy as printed': {
    program: 'haproxy',
    isSecure: true,
    text: (port, servicePort, folder) => {
      writeFileSync(
        join(folder, 'both.pem'),
        readFileSync(localhostTls.certFile, 'utf8') + readFileSync(localhostTls.keyFile, 'utf8'),
      )
      return printed('haproxy.cfg')
        .replace('bind :443', `bind 127.0.0.1:${port}`)
        .replace(/\/etc\/haproxy\/\S+/, join(folder, 'both.pem'))
        .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
    },
  },
  'HAProxy with a check over HTTP/1.0': {
    program: 'haproxy',
    isSecure: false,
    text: (port, servicePort) => `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen all
  bind 127.0.0.1:${port}
  option httpchk GET /readyz
  server one 127.0.0.1:${servicePort} check inter 1s
`,
  },
  'Caddy as printed': {
    program: 'caddy',
    isSecure: true,
    text: (port, servicePort) =>
      `{\n admin off\n auto_https off\n}\n${printed('Caddyfile')
        .replace(
          'pay.example.com {',
          `https://localhost:${port} {\n  tls ${localhostTls.certFile} ${localhostTls.keyFile}`,
        )
        .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)}`,
  },
  'Caddy by default': {
    program: 'caddy',
    isSecure: false,
    text: (port, servicePort) =>
      `{\n admin off\n auto_https off\n}\nhttp://localhost:${port} {\n  reverse_proxy 127.0.0.1:${servicePort}\n}\n`,
  },
}

/** Starts a proxy in front of a service; resolves once it accepts connections. */
export const startReverseProxy = async (
  t: Scope,
  { program, isSecure, text }: Configuration,
  servicePort: number,
): Promise<RunningProxy> => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-proxy-'))
  const port = await lastingPort()
  const file = join(folder, program === 'caddy' ? 'Caddyfile' : 'configuration')
  writeFileSync(file, `${text(port, servicePort, folder)}\n`)
  const args = {
    nginx: ['-p', folder, '-c', file],
    haproxy: ['-db', '-f', file],
    caddy: ['run', '--config', file, '--adapter', 'caddyfile'],
  }[program]
  const env = { ...proxyEnvironment, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(proxyProgram(program), args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      log += chunk
    })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  })
  const origin = `${isSecure ? 'https' : 'http'}://localhost:${port}`
  await Promise.race([
    listens(port),
    gone.then(() => {
      throw new Error(`${program} ended:\n${log}`)
    }),
  ])
  return { origin, log: () => log }
}

/** Resolves once a connection is accepted. */
const listens = async (port: number): Promise<void> => {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(20)
  }
}
