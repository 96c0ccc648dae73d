import t from 'tap'
import { routes } from '../../gateway/routes/index.ts'
import { prepareDirectory } from './prepared.ts'
import { caller, newCompany, oneWorker, posted } from './service.ts'
import { signInDirectly } from './sign-in-directly.ts'

/**
 * Who may send what: each operation with the letters of the roles that may, as the specification has them (dashboard, section 1.6): Owner,
 * Admin, Finance, Developer, Support, Viewer; `d` is a developer in the Sandbox only. It is written down here once more, so that a
 * new operation without a row fails, and a permission that was mistyped, too.
 */
type Row = {
  readonly roles: string
  /** Whether an API key with every scope may. */
  readonly key: boolean
  readonly operations: readonly string[]
}

const rows: Readonly<Record<string, Row>> = {
  'charges.read': {
    roles: 'OAFDSV',
    key: true,
    operations: [
      'GET /v1/pix/charges',
      'GET /v1/pix/charges/:id',
      'GET /v1/pix/charges/:id/qr-code',
      'GET /v1/pix/deposits',
      'GET /v1/pix/deposits/:id',
      'GET /v1/pix/deposits/:id/qr-code',
      'GET /v1/pix/received',
      'GET /v1/pix/overview',
      'GET /v1/pix/keys',
      'GET /v1/meds',
      'GET /v1/card-payments/:id',
      'GET /v1/cards/transactions',
      'GET /v1/cards/chargebacks',
      'GET /v1/cards/fees',
      'GET /v1/boletos',
      'GET /v1/boletos/:id',
      'GET /v1/boletos/:id/pdf',
      'GET /v1/boletos/:id/qr-code',
      'GET /v1/crypto/charges',
      'GET /v1/crypto/charges/:id',
      'GET /v1/checkout-sessions',
      'GET /v1/checkout-sessions/:id',
      'GET /v1/payment-links',
      'GET /v1/payment-links/:id',
      'GET /v1/payment-links/:id/qr',
      'GET /v1/checkout-branding',
      'GET /v1/portal',
      'GET /v1/customers',
      'GET /v1/customers/:id',
      'GET /v1/sandbox/clock',
    ],
  },
  'charges.read of people': { roles: 'OAFDSV', key: false, operations: ['GET /v1/notes'] },
  'charges.create': {
    roles: 'OAFdS',
    key: true,
    operations: [
      'POST /v1/pix/charges',
      'POST /v1/pix/charges/:id/cancel',
      'POST /v1/pix/deposits',
      'POST /v1/card-payments',
      'POST /v1/card-payments/:id/capture',
      'POST /v1/card-payments/:id/cancel',
      'POST /v1/cards/chargebacks/:id/dispute',
      'POST /v1/boletos',
      'POST /v1/boletos/:id/cancel',
      'POST /v1/crypto/charges',
      'POST /v1/crypto/charges/:id/cancel',
      'POST /v1/checkout-sessions',
      'POST /v1/checkout-sessions/:id/expire',
      'POST /v1/payment-links',
      'PATCH /v1/payment-links/:id',
      'POST /v1/payment-links/:id/deactivate',
      'POST /v1/transactions/:id/cancel',
      'POST /v1/transactions/:id/send',
      'PUT /v1/transactions/:id/fiscal-documents',
      'POST /v1/customers',
      'POST /v1/sandbox/pix/charges/:id/pay',
      'POST /v1/sandbox/pix/charges/:id/expire',
      'POST /v1/sandbox/pix/received',
      'POST /v1/sandbox/pix/unmatched',
      'POST /v1/sandbox/reconciliations',
      'POST /v1/sandbox/transactions/:id/med',
      'POST /v1/sandbox/mandates/:id/resolve',
      'POST /v1/sandbox/mandates/:id/charge',
      'POST /v1/sandbox/meds/:id/close',
      'POST /v1/sandbox/meds/:id/contest/resolve',
      'POST /v1/sandbox/boletos/:id/pay',
      'POST /v1/sandbox/boletos/:id/expire',
      'POST /v1/sandbox/crypto/charges/:id/pay',
      'POST /v1/sandbox/crypto/charges/:id/confirm',
      'POST /v1/sandbox/crypto/charges/:id/drop',
      'POST /v1/sandbox/crypto/rate',
      'POST /v1/sandbox/conversions/:id/resolve',
      'POST /v1/sandbox/crypto/withdrawals/:id/resolve',
      'POST /v1/sandbox/card-payments/:id/resolve',
      'POST /v1/sandbox/card-payments/:id/chargeback',
      'POST /v1/sandbox/chargebacks/:id/resolve',
      'POST /v1/sandbox/refunds/:id/resolve',
      'POST /v1/sandbox/transactions/:id/settle',
      'POST /v1/sandbox/transfers/:id/approve',
      'POST /v1/sandbox/transfers/:id/resolve',
      'POST /v1/sandbox/transfers/:id/return',
      'POST /v1/sandbox/transactions',
      'POST /v1/sandbox/clock/advance',
      'POST /v1/sandbox/clock/reset',
      'POST /v1/sandbox/events',
      'POST /v1/sandbox/reset',
    ],
  },
  'transactions.read': {
    roles: 'OAFDSV',
    key: true,
    operations: [
      'GET /v1/transactions',
      'GET /v1/transactions/facets',
      'GET /v1/transactions/:id',
      'GET /v1/overview',
    ],
  },
  'transactions.export': { roles: 'OAFd', key: true, operations: ['GET /v1/transactions/export'] },
  'disputes.manage': {
    roles: 'OAFdS',
    key: false,
    operations: ['POST /v1/meds/:id/defend', 'POST /v1/meds/:id/contest'],
  },
  'refunds.create': { roles: 'OAFd', key: true, operations: ['POST /v1/transactions/:id/refund'] },
  'subscriptions.read': {
    roles: 'OAFDSV',
    key: true,
    operations: [
      'GET /v1/plans',
      'GET /v1/plans/:id',
      'GET /v1/coupons',
      'GET /v1/coupons/validate',
      'GET /v1/dunning',
      'GET /v1/recurring/overview',
      'GET /v1/recurring/customers',
      'GET /v1/subscriptions',
      'GET /v1/subscriptions/:id',
      'GET /v1/invoices',
      'GET /v1/invoices/:id',
    ],
  },
  'subscriptions.manage': {
    roles: 'OAFdS',
    key: true,
    operations: [
      'POST /v1/portal-sessions',
      'POST /v1/plans',
      'PATCH /v1/plans/:id',
      'DELETE /v1/plans/:id',
      'POST /v1/coupons',
      'PATCH /v1/coupons/:id',
      'DELETE /v1/coupons/:id',
      'PUT /v1/dunning',
      'DELETE /v1/dunning/plans/:id',
      'POST /v1/subscriptions',
      'POST /v1/subscriptions/:id/pause',
      'POST /v1/subscriptions/:id/resume',
      'POST /v1/subscriptions/:id/cancel',
      'POST /v1/subscriptions/:id/change-plan',
      'POST /v1/invoices/:id/retry',
    ],
  },
  'marketplace.manage': {
    roles: 'OAFd',
    key: true,
    operations: [
      'GET /v1/split/recipients',
      'POST /v1/split/recipients',
      'GET /v1/split/recipients/:id',
      'PATCH /v1/split/recipients/:id',
      'DELETE /v1/split/recipients/:id',
      'GET /v1/split/rules',
      'POST /v1/split/rules',
      'GET /v1/split/rules/:id',
      'PATCH /v1/split/rules/:id',
      'DELETE /v1/split/rules/:id',
      'POST /v1/split/simulate',
      'GET /v1/split/transfers',
    ],
  },
  'company.read': {
    roles: 'OAFDSV',
    key: false,
    operations: [
      'GET /v1/company',
      'GET /v1/company/checklist',
      'GET /v1/reminders',
      'GET /v1/connections',
      'GET /v1/connections/providers',
      'GET /v1/connections/:id',
    ],
  },
  'company.manage': {
    roles: 'OA',
    key: false,
    operations: [
      'PATCH /v1/company',
      'PUT /v1/company/logo',
      'PATCH /v1/company/checkout',
      'PUT /v1/reminders',
      'POST /v1/connections',
      'POST /v1/connections/:id/verify',
      'POST /v1/connections/:id/activate',
      'POST /v1/connections/:id/suspend',
      'POST /v1/connections/:id/resume',
      'POST /v1/connections/:id/rotate',
      'POST /v1/connections/:id/restore',
      'POST /v1/connections/:id/retire',
    ],
  },
  'team.read': {
    roles: 'OAFDSV',
    key: false,
    operations: ['GET /v1/team'],
  },
  'team.manage': {
    roles: 'OA',
    key: false,
    operations: [
      'POST /v1/team/invitations',
      'POST /v1/team/invitations/:id/resend',
      'DELETE /v1/team/invitations/:id',
      'PATCH /v1/team/:id',
      'DELETE /v1/team/:id',
      'POST /v1/team/:id/reset-second-factor',
      'POST /v1/team/:id/end-sessions',
    ],
  },
  // Those who approve money, where nobody else manages the team (section 2.3).
  'team.manage or transfers.approve in Production': {
    roles: 'OAF',
    key: false,
    operations: ['POST /v1/team/changes/:id/approve', 'POST /v1/team/changes/:id/reject'],
  },
  'keys.read': {
    roles: 'OADV',
    key: false,
    operations: ['GET /v1/keys', 'GET /v1/keys/:id/requests'],
  },
  'keys.manage': {
    roles: 'OAD',
    key: false,
    operations: ['POST /v1/keys', 'PATCH /v1/keys/:id', 'POST /v1/keys/:id/roll', 'POST /v1/keys/:id/revoke'],
  },
  'webhooks.read': {
    roles: 'OADV',
    key: false,
    operations: [
      'GET /v1/webhooks/event-types',
      'GET /v1/webhooks/endpoints',
      'GET /v1/webhooks/endpoints/:id',
      'GET /v1/webhooks/deliveries',
      'GET /v1/webhooks/deliveries/:id',
    ],
  },
  'webhooks.manage': {
    roles: 'OAD',
    key: false,
    operations: [
      'POST /v1/webhooks/endpoints',
      'PATCH /v1/webhooks/endpoints/:id',
      'DELETE /v1/webhooks/endpoints/:id',
      'POST /v1/webhooks/endpoints/:id/roll-secret',
      'POST /v1/webhooks/endpoints/:id/test',
      'POST /v1/webhooks/endpoints/:id/replay',
      'POST /v1/webhooks/deliveries/:id/resend',
      'POST /v1/webhooks/deliveries/resend',
      'POST /v1/webhooks/deliveries/:id/retry',
    ],
  },
  'balance.read': {
    roles: 'OAFdV',
    key: true,
    operations: [
      'GET /v1/balance',
      'GET /v1/statement',
      'GET /v1/statement/export',
      'GET /v1/receivables',
      'GET /v1/receivables/agenda',
    ],
  },
  // Keys read balance and statement, and nothing else that people read of money.
  'balance.read of people': {
    roles: 'OAFdV',
    key: false,
    operations: [
      'GET /v1/company/approval-policy',
      'GET /v1/company/limits',
      'GET /v1/company/changes',
      'GET /v1/crypto/deposits',
      'GET /v1/crypto/wallets',
      'GET /v1/crypto/wallets/:id',
      'GET /v1/crypto/withdrawals',
      'GET /v1/crypto/withdrawals/:id',
      'GET /v1/crypto/withdrawals/:id/receipt',
      'GET /v1/conversions',
      'GET /v1/conversions/:id',
      'GET /v1/reconciliations',
      'GET /v1/reconciliations/:id',
      'GET /v1/reconciliations/:id/export',
      'GET /v1/suspense',
      'GET /v1/suspense/:id',
      'GET /v1/beneficiaries',
      'GET /v1/beneficiaries/:id',
      'GET /v1/transfers',
      'GET /v1/transfers/:id',
      'GET /v1/transfers/:id/receipt',
    ],
  },
  // Who refunds by key does not decide what becomes of money that belongs to nothing.
  'refunds.create of people': {
    roles: 'OAFd',
    key: false,
    operations: [
      'POST /v1/suspense/:id/assign',
      'POST /v1/suspense/:id/return',
      'POST /v1/transactions/:id/returns/repeat',
    ],
  },
  'crypto.convert': {
    roles: 'OAFd',
    key: false,
    operations: ['POST /v1/conversions/quotes', 'POST /v1/conversions'],
  },
  'crypto.withdraw': {
    roles: 'OAFd',
    key: false,
    operations: [
      'POST /v1/crypto/deposits/:id/resolve',
      'POST /v1/crypto/wallets',
      'DELETE /v1/crypto/wallets/:id',
      'POST /v1/crypto/withdrawals/preview',
      'POST /v1/crypto/withdrawals',
      'POST /v1/crypto/withdrawals/:id/cancel',
    ],
  },
  'transfers.create': {
    roles: 'OAFd',
    key: false,
    operations: [
      'POST /v1/pix/lookups',
      'GET /v1/pix/lookups/quota',
      'POST /v1/transfers/preview',
      'POST /v1/transfers',
      'POST /v1/transfers/:id/cancel',
    ],
  },
  'transfers.approve': {
    roles: 'OAFd',
    key: false,
    operations: [
      'POST /v1/suspense/:id/write-off',
      'POST /v1/transfers/:id/declare',
      'POST /v1/split/transfers/:id/declare',
      'POST /v1/reconciliations/:id/accept',
      'POST /v1/reconciliations/:id/statement',
      'POST /v1/transfers/:id/approve',
      'POST /v1/transfers/:id/reject',
      'POST /v1/crypto/withdrawals/:id/approve',
      'POST /v1/crypto/withdrawals/:id/reject',
    ],
  },
  'beneficiaries.manage': {
    roles: 'OAFd',
    key: false,
    operations: ['POST /v1/beneficiaries', 'PATCH /v1/beneficiaries/:id', 'DELETE /v1/beneficiaries/:id'],
  },
  // Transfers and withdrawals are no business of keys, whatever their scopes.
  'transactions.export of transfers': {
    roles: 'OAFd',
    key: false,
    operations: ['GET /v1/transfers/export', 'GET /v1/crypto/withdrawals/export'],
  },
  'limits.manage': {
    roles: 'OA',
    key: false,
    operations: [
      'PUT /v1/company/approval-policy',
      'PUT /v1/company/limits',
      'POST /v1/company/changes/:id/approve',
      'POST /v1/company/changes/:id/reject',
    ],
  },
  'audit.read': {
    roles: 'OA',
    key: false,
    operations: ['GET /v1/audit', 'GET /v1/audit/export', 'GET /v1/audit/verify'],
  },
  'support.read': {
    roles: 'OAFDSV',
    key: false,
    operations: ['GET /v1/support/tickets', 'GET /v1/support/tickets/:id'],
  },
  'support.manage': {
    roles: 'OAFDS',
    key: false,
    operations: [
      'POST /v1/support/tickets',
      'POST /v1/support/tickets/:id/messages',
      'POST /v1/support/tickets/:id/close',
      'POST /v1/notes',
      'DELETE /v1/notes/:id',
    ],
  },
  'a role': {
    roles: 'OAFDSV',
    key: false,
    operations: [
      'GET /v1/live',
      'GET /v1/search',
      'GET /v1/notifications',
      'POST /v1/notifications/read',
      'GET /v1/notifications/preferences',
      'PUT /v1/notifications/preferences',
      'GET /v1/views',
      'PUT /v1/views',
      'DELETE /v1/views/:id',
    ],
  },
}

/** About the person alone, whatever the company and the role. */
const personal = [
  'GET /v1/session',
  'DELETE /v1/session',
  'POST /v1/session/step-up',
  'POST /v1/session/challenge',
  'GET /v1/me/sessions',
  'DELETE /v1/me/sessions/:id',
  'POST /v1/me/sessions/end-others',
  'GET /v1/me',
  'PATCH /v1/me',
  'POST /v1/me/password',
  'POST /v1/me/totp',
  'POST /v1/me/totp/confirm',
  'POST /v1/me/recovery-codes',
  'POST /v1/me/passkeys/options',
  'POST /v1/me/passkeys',
  'PATCH /v1/me/passkeys/:id',
  'DELETE /v1/me/passkeys/:id',
  'POST /v1/session/second-factor',
]

/** Asked by those who are not signed in yet. */
const open = [
  'GET /v1/branding',
  'POST /v1/session',
  'POST /v1/session/passkey/options',
  'POST /v1/session/passkey',
  'POST /v1/password/forgot',
  'POST /v1/password/reset',
  'POST /v1/email/confirm',
  'POST /v1/invitations/read',
  'POST /v1/invitations/accept',
]

const roles = ['OWNER', 'ADMIN', 'FINANCE', 'DEVELOPER', 'SUPPORT', 'VIEWER'] as const
const environments = ['SANDBOX', 'PRODUCTION'] as const
type Headers = Readonly<Record<string, string>>

/** Whether a role may, by the letters of a row. */
const mayBy = (letters: string, role: string, environment: string): boolean =>
  letters.includes(role[0]!) || (role === 'DEVELOPER' && environment === 'SANDBOX' && letters.includes('d'))

t.test('every operation has a row', async (t) => {
  const written = [...Object.values(rows).flatMap(({ operations }) => operations), ...personal, ...open]
  t.strictSame(
    [...written].sort(),
    routes.map(({ verb, path }) => `${verb} ${path}`).sort(),
    'as many as there are, each once',
  )
})

t.test('every operation lets in whom the table names, and nobody else', async (t) => {
  const first = await prepareDirectory(t)
  const scopes =
    'charges.create,charges.read,transactions.read,transactions.export,refunds.create,subscriptions.read,subscriptions.manage,marketplace.manage,balance.read'
  const own = await newCompany(first, { scopes })
  const other = await newCompany(first, { name: 'Outra Loja' })
  const bare = await first.operate('keys create', {
    company: own.company.id,
    environment: 'sandbox',
    scopes: 'charges.read',
  })
  const { service, members } = await signInDirectly(
    t,
    first,
    [
      ...roles.map((role) => ({ companyId: own.company.id, roles: { SANDBOX: role, PRODUCTION: role } })),
      { companyId: other.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } },
      { companyId: own.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: null } },
    ],
    { env: oneWorker },
  )
  const [stranger, sandboxOnly] = members.slice(roles.length).map(({ headers }) => headers) as [
    Headers,
    Headers,
  ]

  /** The status and code of an answer; what it streams is not waited for. */
  const ask = async (
    operation: string,
    headers: Headers,
  ): Promise<{ status: number; code: string | null }> => {
    const [verb, path] = operation.split(' ') as [string, string]
    const takesBody = ['POST', 'PUT', 'PATCH'].includes(verb)
    const response = await fetch(service.origin + path.replace(':id', 'txn_01ARZ3NDEKTSV4RRFFQ69G5FAV'), {
      method: verb,
      headers: { ...headers, ...(takesBody && { 'Content-Type': 'application/json' }) },
      ...(takesBody && { body: '{}' }),
    })
    const { status } = response
    if (status < 400) await response.body?.cancel()
    const code = status < 400 ? null : ((await response.json()) as { code: string }).code
    return { status, code }
  }
  const authorization = (secret: string): Headers => ({ Authorization: `Bearer ${secret}` })
  /** Let in, whatever it came to: an id that is not there, a body that lacks all. */
  const isLetIn = ({ status, code }: { status: number; code: string | null }): boolean =>
    status !== 401 && status < 500 && !refusals.includes(code ?? '')
  const refusals = ['NO_PERMISSION', 'DASHBOARD_ONLY', 'CSRF_REJECTED', 'ENROLMENT_REQUIRED']
  const refused = { status: 403, code: 'NO_PERMISSION' }

  for (const operation of personal) {
    t.match(await ask(operation, {}), { status: 401, code: 'UNAUTHORIZED' }, `${operation}: no credentials`)
    t.match(
      await ask(operation, authorization(own.key.secret)),
      { status: 403, code: 'DASHBOARD_ONLY' },
      `${operation}: a key with all scopes`,
    )
  }
  for (const { headers } of members)
    for (const operation of ['GET /v1/session', 'GET /v1/me', 'GET /v1/me/sessions'])
      t.match(await ask(operation, headers), { status: 200 }, `${operation}: anybody who is signed in`)
  for (const operation of open) {
    const answer = await ask(operation, { 'Sec-Fetch-Site': 'same-origin' })
    t.ok(isLetIn(answer), `${operation}: a stranger, ${JSON.stringify(answer)}`)
    // What only reads has nothing that another site could forge, and answers no other site.
    if (operation.startsWith('POST'))
      t.match(await ask(operation, {}), { status: 403, code: 'CSRF_REJECTED' }, `${operation}: another site`)
  }
  for (const [permission, { roles: letters, key, operations }] of Object.entries(rows)) {
    for (const operation of operations) {
      t.match(await ask(operation, {}), { status: 401, code: 'UNAUTHORIZED' }, `${operation}: no credentials`)
      const byKey = await ask(operation, authorization(own.key.secret))
      if (key) t.ok(isLetIn(byKey), `${operation}: a key with all scopes, ${JSON.stringify(byKey)}`)
      else t.match(byKey, { status: 403, code: 'DASHBOARD_ONLY' }, `${operation}: a key with all scopes`)
      if (key && permission !== 'charges.read')
        t.match(
          await ask(operation, authorization(bare.secret)),
          refused,
          `${operation}: a key without the scope`,
        )
      for (const [n, role] of roles.entries())
        for (const environment of environments) {
          const answer = await ask(operation, { ...members[n]!.headers, 'Service-Environment': environment })
          const title = `${operation}: ${role} in ${environment}, ${JSON.stringify(answer)}`
          if (mayBy(letters, role, environment)) t.ok(isLetIn(answer), title)
          else t.match(answer, refused, title)
        }
      const elsewhere = { 'Service-Company': own.company.id }
      t.match(
        await ask(operation, { ...stranger, ...elsewhere }),
        { status: 404, code: 'NOT_FOUND' },
        `${operation}: another company's`,
      )
      t.match(
        await ask(operation, { ...sandboxOnly, 'Service-Environment': 'PRODUCTION' }),
        refused,
        `${operation}: another environment's`,
      )
      const { 'Service-Company': _, ...nowhere } = stranger
      t.match(
        await ask(operation, nowhere),
        { status: 400, code: 'VALIDATION_ERROR' },
        `${operation}: no company`,
      )
    }
  }
  const pays = caller(service.origin, own.key.secret)
  const card = { token: 'tok_ok', brand: 'VISA', last4: '4242' }
  for (const [n, role] of roles.entries()) {
    const { id } = await posted(pays, '/v1/card-payments', { amount: 1000, card })
    const { status, body } = await members[n]!.call('POST', `/v1/card-payments/${id}/cancel`)
    const title = `${role} cancels a captured payment, which refunds it`
    if (mayBy('OAFd', role, 'SANDBOX')) t.match({ status, body }, { status: 200 }, title)
    else
      t.match(
        { status, body },
        {
          status: 403,
          body: { requiredPermission: role === 'SUPPORT' ? 'refunds.create' : 'charges.create' },
        },
        title,
      )
  }
})
