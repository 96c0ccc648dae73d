import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
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
