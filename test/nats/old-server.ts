import { type AddressInfo, createServer } from 'node:net'

/** Something that greets as an older nats-server does, and does nothing else. */
export const startOldServer = async (version: string): Promise<{ url: string; stop: () => void }> => {
  const info = {
    server_id: `N${version}`,
    server_name: 'old',
    version,
    proto: 1,
    host: '127.0.0.1',
    headers: true,
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const { port } = server.address() as AddressInfo
    socket.write(`INFO ${JSON.stringify({ ...info, port, max_payload: 1048576, jetstream: true })}\r\n`)
    socket.on('data', (chunk) => {
      if (chunk.toString('latin1').includes('PING')) socket.write('PONG\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => void server.close(),
  }
}
