import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import t from 'tap'
import type { HttpRequest, HttpResponse } from '../../../gateway/wire/transport.ts'
import { localhostTls } from '../../localhost-tls.ts'
import { type TransportName, transportOf } from './transports.ts'
import { serve, sleep } from './wire.ts'

/**
 * What a client may do before it falls silent. None of them reads anything, closes, or answers the end of its connection: what the server
 * does not destroy by itself stays.
 */
const clients: Readonly<Record<string, (socket: Socket) => void>> = {
  'says nothing': () => undefined,
  'begins a head': (socket) => socket.write('GET / HTTP/1.1\r\nHost: a\r\n'),
  'begins a body': (socket) => socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel'),
  'sends what is no request': (socket) => socket.write('\0\r\n\r\n'),
  'sends HTTP/1.0': (socket) => socket.write('GET / HTTP/1.0\r\n\r\n'),
  'sends the preface of HTTP/2': (socket) => socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'asks for a tunnel': (socket) => socket.write('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'),
  'asks for another protocol': (socket) =>
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  'announces too much': (socket) =>
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n'),
  'keeps its connection': (socket) => socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'),
  'wants its connection closed': (socket) =>
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  'sends nothing and closes its half': (socket) => socket.end(),
  'closes its half behind a request': (socket) => socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
  'does not read a large answer': (socket) => socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n'),
  'does not read a large answer, its half closed': (socket) =>
    socket.end('GET /large HTTP/1.1\r\nHost: a\r\n\r\n'),
  'does not read a large last answer': (socket) =>
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  'does not read a stream': (socket) => socket.write('GET /pieces HTTP/1.1\r\nHost: a\r\n\r\n'),
  'does not read a stream that ends': (socket) =>
    socket.write('GET /some-pieces HTTP/1.1\r\nHost: a\r\n\r\n'),
}

const large = 'x'.repeat(20_000_000)

const answer = ({ path }: HttpRequest): HttpResponse => {
  let pieces = path === '/some-pieces' ? 400 : Number.POSITIVE_INFINITY
  const next = async () => (pieces-- > 0 ? 'x'.repeat(15_000) : null)
  const body = path === '/large' ? large : path === '/' ? 'short' : { next }
  return { status: 200, headers: { 'Content-Type': 'text/plain' }, body }
}

/** The sockets of this process. */
const openSockets = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length

/** Resolves when the server has none of these connections any more, whatever their clients still have. */
const released = async (clients: readonly Socket[], socketsBefore: number): Promise<void> => {
  const held = () => clients.filter((socket) => !socket.destroyed).length
  while (openSockets() - held() > socketsBefore) await sleep(50)
}

const opened = async (port: number): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  socket.pause()
  return socket
}

/** Opens a connection for each of the clients and lets it act; over TLS after its handshake. */
const fallSilent = (port: number, isSecure: boolean): Promise<Socket[]> =>
  Promise.all(
    Object.values(clients).map(async (act) => {
      const raw = await opened(port)
      const socket = isSecure ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw
      socket.on('error', () => {})
      if (isSecure)
        await new Promise<void>((resolve) => {
          socket.once('secureConnect', resolve)
          // A handshake that is late on a busy machine.
          raw.once('close', resolve)
        })
      socket.pause()
      act(socket)
      return raw
    }),
  )

/** A client that sends its hello byte by byte, and never all of it. */
const drips = async (port: number): Promise<Socket> => {
  const socket = await opened(port)
  const hello = Buffer.from('16030100c8010000c403', 'hex')
  let at = 0
  const dripping = setInterval(() => void socket.write(Buffer.from([hello[at++] ?? 0])), 40)
  socket.on('close', () => clearInterval(dripping))
  return socket
}

/** No client holds a descriptor by doing nothing, whatever it did before. */
export const testSilentClients = (name: TransportName): void => {
  // Of a native build these are its own, 10 to 12 s.
  const limits = { idleTimeoutMs: 1000, stallTimeoutMs: 400 } as never

  t.test(
    `${name}: connections whose clients fall silent are given up, those in a handshake too`,
    async (t) => {
      const before = openSockets()
      const plain = await serve(transportOf(name), { handle: answer, limits })
      const secure = await serve(transportOf(name), { handle: answer, limits, tls: localhostTls })
      const listening = openSockets()
      const silent = [
        ...(await fallSilent(plain.port, false)),
        ...(await fallSilent(secure.port, true)),
        ...(await Promise.all(Array.from({ length: 10 }, () => opened(secure.port)))),
        await drips(secure.port),
      ]
      await released(silent, listening)
      t.pass('the server holds none of them')
      for (const socket of silent) socket.destroy()
      await plain.listener.close(0)
      await secure.listener.close(0)
      t.ok(listening > before, 'sockets are counted')
    },
  )
}
