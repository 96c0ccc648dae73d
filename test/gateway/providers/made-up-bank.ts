import Type from 'typebox'
import type {
  ProviderConnection,
  ProviderHealth,
  ProviderInstance,
  ProviderModule,
} from '../../../gateway/providers/port.ts'
import { openBankWithBooks } from './bank-with-books.ts'

/** What a test wants of the bank that is made up, and what it saw. */
export type MadeUpBank = {
  readonly module: ProviderModule
  /** What each opening was given, secrets in the clear. */
  readonly opened: ProviderConnection[]
  readonly closed: string[]
  /** What it says when it is asked whether it works. */
  health: (connection: ProviderConnection) => ProviderHealth
  /** What opening does before it opens. */
  onOpen: (connection: ProviderConnection) => void
}

/** A bank whose connections need an id, a secret and a PIX key. */
export const aMadeUpBank = (change: Partial<ProviderModule> = {}): MadeUpBank => {
  const { module, instance } = openBankWithBooks({ REFUND: 'SAFE' })
  const bank: MadeUpBank = {
    opened: [],
    closed: [],
    health: () => ({ works: true, detail: null, certificateEndsAtMs: null }),
    onOpen: () => undefined,
    module: {
      ...module,
      name: 'made-up-bank',
      label: 'Made-up bank',
      rails: ['PIX'],
      settings: Type.Object({
        clientId: Type.String({ minLength: 1, maxLength: 100 }),
        clientSecret: Type.String({ minLength: 8, maxLength: 100, secret: true }),
        pixKey: Type.String({ minLength: 1, maxLength: 77 }),
        certificate: Type.Optional(Type.String({ maxLength: 20_000 })),
        apiAddress: Type.Optional(Type.String({ maxLength: 200 })),
      }),
      open: (connection): ProviderInstance => {
        bank.onOpen(connection)
        bank.opened.push(connection)
        return {
          ...instance,
          health: async () => bank.health(connection),
          close: () => void bank.closed.push(String(connection.settings.clientSecret)),
        }
      },
      ...change,
    },
  }
  return bank
}

/** Settings that it takes. */
export const someSettings = {
  clientId: 'client-of-loja-0001',
  clientSecret: 'a secret of the bank',
  pixKey: 'b6e8a2b4-0000-4000-8000-000000000001',
}
