import { readFileSync } from 'node:fs'
import { createServer as createHttp, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createHttps, type ServerOptions } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'

/** Receivers of webhooks on this machine, as merchants might run them. They end with their test. */
export type Receiver = {
  readonly port: number
  /** Sockets that were ever opened to it, in order. */
  readonly sockets: readonly Socket[]
}

export type Received = { readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/** Answers with `answer` once a request is in; without it every request gets 200. */
export const httpReceiver = async (
  t: Test,
  answer: RequestListener = (_, response) => response.end('ok'),
  host = '127.0.0.1',
  port = 0,
): Promise<Receiver & { readonly requests: readonly Received[] }> => {
  const requests: Received[] = []
  return { ...(await listening(t, createHttp(recording(requests, answer)), host, port)), requests }
}

export const httpsReceiver = async (
  t: Test,
  certificate: string,
  options: ServerOptions = {},
  answer: RequestListener = (_, response) => response.end('ok'),
): Promise<Receiver & { readonly requests: readonly Received[] }> => {
  const requests: Received[] = []
  const server = createHttps(
    { key: fixture('receiver-key.pem'), cert: fixture(certificate), ...options },
    recording(requests, answer),
  )
  return { ...(await listening(t, server, '127.0.0.1', 0)), requests }
}

/** A receiver that speaks for itself. */
export const tcpReceiver = (t: Test, onSocket: (socket: Socket) => void): Promise<Receiver> =>
  listening(t, createTcp(onSocket), '127.0.0.1', 0)

/** Calls back for each request on a socket; enough for requests whose body is short. */
export const onRequest = (socket: Socket, then: (count: number, text: string) => void): void => {
  let count = 0
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const length = /content-length: (\d+)\r\n/i.exec(text)?.[1]
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd === -1 || text.length < headEnd + 4 + Number(length)) return
    const request = text
    text = ''
    then(++count, request)
  })
}

export const fixture = (name: string): string => readFileSync(join(fixtures, name), 'utf8')

const fixtures = join(import.meta.dirname, '../../../../test/fixtures')

const recording =
  (requests: Received[], answer: RequestListener): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ headers: request.headers, body: Buffer.concat(chunks) })
      answer(request, response)
    })
  }

const listening = async (t: Test, server: Server, host: string, port: number): Promise<Receiver> => {
  const sockets: Socket[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}
