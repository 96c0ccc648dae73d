import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import t from 'tap'
import { localhostTls } from '../localhost-tls.ts'
import { newDataDir } from './service.ts'

const main = join(import.meta.dirname, '../../gateway/program/main.js')

/** Null if it is refused. */
const opened = (port: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => resolve(null))
  })

const healthOver = async (socket: Socket): Promise<string> => {
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString()
}

/** A log, line by line. */
const linesOf = (output: NodeJS.ReadableStream) => {
  let text = ''
  let wake: () => void = () => undefined
  output.on('data', (chunk: Buffer) => {
    text += chunk
    wake()
  })
  return {
    /** The first line with a text, once it is there. */
    with: async (part: string): Promise<string> => {
      for (;;) {
        const found = text.split('\n').find((line) => line.includes(part))
        if (found !== undefined) return found
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

t.test(
  'connections that would take the last descriptors are refused, and open ones are served',
  async (t) => {
    const env = { WORKERS: '1', TRANSPORT: 'uws', DEMO: 'false', HOST: '127.0.0.1', PORT: '0' }
    const child = spawn('sh', ['-c', `ulimit -n 1000; exec "${process.execPath}" "${main}" start`], {
      env: { ...process.env, ...env, DATA_DIR: newDataDir(t) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    const log = linesOf(child.stdout)
    const port = Number(/"origin":"http:[^"]*:(\d+)"/.exec(await log.with('"origin"'))![1])
    const patient = (await opened(port))!
    const sockets: Socket[] = []
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
    })
    for (;;) {
      const more = await Promise.all(Array.from({ length: 20 }, () => opened(port)))
      sockets.push(...more.filter((socket) => socket !== null))
      if (more.includes(null)) break
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    t.ok(sockets.length > 400, `${sockets.length} connections are taken`)
    t.match(await log.with('file descriptors'), 'fewer than 250 of 1000 file descriptors are left')
    t.match(await healthOver(patient), 'HTTP/1.1 200 OK', 'an open connection is served')
    for (const socket of sockets) socket.destroy()
    let again = await opened(port)
    while (again === null) again = await opened(port)
    t.match(await healthOver(again), 'HTTP/1.1 200 OK', 'new connections are taken again')
  },
)

/** The status line of `/healthz` over a TLS connection of its own; null if there is no connection. */
const healthOverTls = (port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.once('secureConnect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'))
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString().split('\r\n')[0]!)
      socket.destroy()
    })
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(null))
  })

t.test(
  'over node:http, more silent connections than descriptors end nothing, and give all of them back',
  async (t) => {
    const env = {
      WORKERS: '1',
      TRANSPORT: 'node',
      DEMO: 'false',
      HOST: '127.0.0.1',
      PORT: '0',
      TLS_CERT_FILE: localhostTls.certFile,
      TLS_KEY_FILE: localhostTls.keyFile,
    }
    const child = spawn('sh', ['-c', `ulimit -n 400; exec "${process.execPath}" "${main}" start`], {
      env: { ...process.env, ...env, DATA_DIR: newDataDir(t) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    const log = linesOf(child.stdout)
    const port = Number(/"origin":"https:[^"]*:(\d+)"/.exec(await log.with('"origin"'))![1])
    t.match(await healthOverTls(port), 'HTTP/1.1 200 OK')
    const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length
    const before = descriptors()
    // None of them says, reads, or answers anything.
    const sockets = (await Promise.all(Array.from({ length: 600 }, () => opened(port)))).filter(
      (socket) => socket !== null,
    )
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
    })
    for (const socket of sockets) socket.pause()
    t.match(await log.with('file descriptors'), 'fewer than 100 of 400 file descriptors are left')
    while (descriptors() > before) await new Promise((resolve) => setTimeout(resolve, 100))
    while (!(await healthOverTls(port))?.includes('200 OK'))
      await new Promise((resolve) => setTimeout(resolve, 100))
    t.pass('it serves again, while their clients still hold on')
  },
)
