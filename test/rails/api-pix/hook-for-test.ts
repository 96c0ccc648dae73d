import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Authority } from '../certificates.ts'

/** A receiver of callbacks that asks for the bank's certificate, as the service's listener does. */
export type HookForTest = {
  readonly url: string
  readonly heard: () => readonly { readonly path: string; readonly body: any }[]
  /** The statuses of the next answers; 200 when they are used up. */
  readonly answerNext: (...statuses: readonly number[]) => void
}

/** Starts a receiver whose certificate is of the bank's authority, and that takes clients of it alone. */
export const hookFor = async (
  t: Pick<Test, 'teardown'>,
  authority: Authority,
  { demands = true }: { readonly demands?: boolean } = {},
): Promise<HookForTest> => {
  const heard: { path: string; body: any }[] = []
  const statuses: number[] = []
  const { cert, key } = authority.issue({ commonName: 'localhost', hosts: ['localhost'] })
  const server = createServer(
    { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: demands },
    async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      heard.push({ path: request.url!, body: JSON.parse(Buffer.concat(parts).toString()) })
      response.writeHead(statuses.shift() ?? 200).end()
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/hooks/c`,
    heard: () => [...heard],
    answerNext: (...next) => {
      statuses.push(...next)
    },
  }
}
