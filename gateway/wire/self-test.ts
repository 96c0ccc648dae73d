import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Transport } from './transport.ts'

/**
 * What a transport leaves unanswered of the requests that proxies and clients send in practice, in words; empty if it answers all of them.
 * A native build is asked before it serves, because no version number says what it does: over a listener of its own on the loopback,
 * with any status as an answer. A request that hides another one behind it must be refused, or its connection closed.
 *
 * No time limit decides: client and listener share this thread's event loop, so a request that is unanswered after two later requests
 * were answered stays unanswered.
 */
export const unansweredBy = async (transport: Transport): Promise<readonly string[]> => {
  let hidden = 0
  const listener = await transport({
    host: '127.0.0.1',
    port: 0,
    sharedPort: false,
    standing: () => ({ lines: '', fields: {} }),
    handle: ({ path }, to) => {
      if (path === '/hidden') hidden += 1
      to.resolve(empty(200))
    },
    refuse: empty,
    onFault: () => {},
    onCut: () => {},
    limits: testLimits,
  })
  const { port } = listener
  try {
    const asked = await Promise.all(questions.map(([name, pieces]) => ask(port, name, pieces)))
    const smuggled = await Promise.all(smuggling.map(([name, pieces]) => ask(port, name, pieces)))
    for (const { socket } of [...asked, ...smuggled]) socket.destroy()
    const unanswered = asked.filter(({ isAnswered }) => !isAnswered).map(({ name }) => name)
    return hidden === 0 ? unanswered : [...unanswered, 'requests with repeated or empty header names safely']
  } finally {
    await listener.close(0)
  }
}

type Asked = { readonly name: string; readonly socket: Socket; readonly isAnswered: boolean }

const ask = async (port: number, name: string, pieces: readonly string[]): Promise<Asked> => {
  const socket = connect(port, '127.0.0.1')
  let isAnswered = false
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    isAnswered ||= bytes.toString('latin1').startsWith('HTTP/1.')
  })
  await once(socket, 'connect')
  for (const piece of pieces) {
    if (!socket.destroyed) socket.write(piece, 'latin1')
    await roundTrip(port)
  }
  await roundTrip(port)
  return { name, socket, isAnswered }
}

/** A request that every transport answers: what was sent before it has been read by then. */
const roundTrip = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
}

const empty = (status: number) => ({ status, headers: {}, body: '' })

type Question = readonly [name: string, pieces: readonly string[]]

const start = 'GET / HTTP/1.1\r\nHost: a\r\n'
/** Larger than the 4 KiB that older native builds join across packets. */
const largeHeader = `X-Large: ${'x'.repeat(5000)}\r\n`

const questions: readonly Question[] = [
  ['header names with an underscore', [`${start}access_token: x\r\n\r\n`]],
  ['HTTP/1.0', ['GET / HTTP/1.0\r\nHost: a\r\n\r\n']],
  ['absolute request targets', ['GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n']],
  ['folded header lines', [`${start}X: y\r\n z\r\n\r\n`]],
  ['64 header lines', [`${start}${'X: y\r\n'.repeat(63)}\r\n`]],
  [
    'heads above 4 KB in two packets',
    [`${start}${largeHeader.slice(0, 3000)}`, `${largeHeader.slice(3000)}\r\n`],
  ],
]

const hiddenRequest = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n'
const length = `Content-Length: ${hiddenRequest.length}\r\n`
const post = 'POST / HTTP/1.1\r\nHost: a\r\n'

const smuggling: readonly Question[] = [
  ['two lengths', [`${post}Content-Length: 0\r\n${length}\r\n`, hiddenRequest]],
  ['a length behind an empty name', [`${post}: x\r\n${length}\r\n`, hiddenRequest]],
]

const testLimits = {
  urlBytesMax: 8192,
  headerBytesMax: 16_384,
  bodyBytesMax: 1024,
  bodyTimeoutMs: 1000,
  answerTimeoutMs: 1000,
  stallTimeoutMs: 1000,
  idleTimeoutMs: 1000,
}
