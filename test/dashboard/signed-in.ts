import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { newMerchant, Scope, Service } from '../e2e/service.ts'

const permissions = [
  'charges.read',
  'charges.create',
  'transactions.read',
  'transactions.export',
  'refunds.create',
  'subscriptions.read',
  'subscriptions.manage',
  'marketplace.manage',
  'webhooks.read',
  'keys.read',
  'company.read',
  'team.read',
  'support.read',
]

/**
 * Stands before a service as its sessions will: it knows who is signed in, and lets the requests of the page in with a key of the
 * company. All else is the service's own answer. With a cookie it sends that instead, and everything is the service's own answer.
 */
export const signedInAt = async (
  t: Scope,
  service: Service,
  merchant: Pick<Awaited<ReturnType<typeof newMerchant>>, 'company' | 'key'>,
  cookie: string | null = null,
) => {
  const { company, key } = merchant
  /** What the pages have sent with each change. */
  const changes: { path: string; csrf: string | undefined; key: string | undefined }[] = []
  const endsAt = new Date(Date.now() + 8 * 3_600_000).toISOString()
  const session = {
    id: 'ses_1',
    person: { id: 'per_1', name: 'Ana Souza', email: 'ana@example.com', factors: ['totp'], passkeys: [] },
    csrfToken: 'token-of-the-session',
    memberships: [
      {
        companyId: company.id,
        companyName: company.name,
        roles: { SANDBOX: 'OWNER', PRODUCTION: null },
        permissions: { SANDBOX: permissions, PRODUCTION: [] },
      },
    ],
    enrolmentRequired: false,
    steppedUpUntil: null,
    idleUntil: endsAt,
    endsAt,
  }
  const server = createServer((incoming, answer) => {
    const url = new URL(incoming.url!, 'http://localhost')
    if (url.pathname === '/v1/session' && cookie === null) {
      answer.writeHead(200, { 'Content-Type': 'application/json' })
      answer.end(JSON.stringify(session))
      return
    }
    const headers: Record<string, string | string[] | undefined> = { ...incoming.headers }
    const isApi = url.pathname.startsWith('/v1/')
    if (isApi && cookie !== null) headers.cookie = cookie
    else if (isApi) {
      if (incoming.method !== 'GET')
        changes.push({
          path: url.pathname,
          csrf: headers['service-csrf'] as string | undefined,
          key: headers['idempotency-key'] as string | undefined,
        })
      headers.authorization = `Bearer ${key.secret}`
      for (const name of ['serviceCompany', 'serviceEnvironment']) url.searchParams.delete(name)
    }
    const { hostname, port } = new URL(service.origin)
    const path = url.pathname + url.search
    const outgoing = send({ hostname, port, method: incoming.method, path, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    // A stream that its page has left counts no longer.
    answer.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return { origin, changes, pathOf: (page: string) => `${origin}/painel/${company.id}/sandbox/${page}` }
}
