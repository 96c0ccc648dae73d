import t from 'tap'
import type { ProviderRequest } from '../../../engine/payments/provider.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { ConnectedProvider } from '../../../gateway/providers/connected.ts'
import { openProviderDriver, type ProviderAlert } from '../../../gateway/providers/driver.ts'
import { connectionIdOf, liveAccount } from '../../engine/connections/live.ts'
import { openBankWithBooks } from './bank-with-books.ts'
import { holdTime } from './held-time.ts'

const request = {
  reference: 'txn_00000000000000000000000001.1',
  operation: 'REGISTER',
  asked: 0,
  accountId: liveAccount,
  transactionId: 'txn_00000000000000000000000001',
  rail: 'PIX',
  providerId: 'bank',
  connectionId: connectionIdOf(1),
  amountCents: toCents(1990),
  pix: { txid: 'x'.repeat(32), pixKey: 'k', expiresInSeconds: 3600, due: null, createdAtMs: 0 },
  customer: null,
  description: null,
  merchantReference: null,
  metadata: {},
  openedAtMs: 0,
  nowMs: 0,
} as unknown as ProviderRequest

/** What people hear when a charge was registered, and the engine takes the answer so. */
const alertsOf = async (event: { readonly type: string }): Promise<readonly ProviderAlert[]> => {
  const time = holdTime()
  const { module } = openBankWithBooks({}, null)
  const connected = {
    connectionId: connectionIdOf(1),
    accountId: liveAccount,
    module: { ...module, name: 'bank', rails: ['PIX'], repeat: { REGISTER: 'SAFE' } },
    instance: {
      ask: async () => ({
        type: 'DONE',
        echo: { reference: null, amountCents: null, payee: null },
        evidence: { kind: 'PIX_CHARGE', copyPaste: 'none', location: 'l', createdAtMs: 0 },
      }),
    },
  } as unknown as ConnectedProvider
  const alerts: ProviderAlert[] = []
  const driver = openProviderDriver({
    revealed: (of) => of,
    providers: { SANDBOX: {}, PRODUCTION: {} },
    byConnection: () => connected,
    execute: async () => ({ accepted: true, steps: [{ event }] }),
    later: setImmediate,
    stopwatch: time.now,
    sliceMs: 1,
    wait: async () => undefined,
    timeout: time.timeout,
    answerTimeoutMs: 8_000,
    repeatTimeoutMs: 20_000,
    retryMs: 200,
    onFault: (error) => {
      throw error
    },
    onAlert: (alert) => alerts.push(alert),
  })
  driver.drive(request)
  await time.settle()
  return alerts
}

t.test('a charge that is registered with a code that cannot be read is for people', async (t) => {
  t.match(await alertsOf({ type: 'ProviderSilent' }), [
    { kind: 'UNREADABLE_CODE', connectionId: connectionIdOf(1), callId: request.reference },
  ])
  t.strictSame(await alertsOf({ type: 'ChargeIssued' }), [])
})
