import type { Provider } from '../../engine/payments/provider.ts'
import type { Bank } from '../../engine/payouts/bank.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import type { Method } from '../../engine/shared/method.ts'
import { sandboxAcquirer } from './sandbox/acquirer.ts'
import { sandboxBank } from './sandbox/bank.ts'
import { sandboxPsp } from './sandbox/psp.ts'

/** Who is asked for each method. A boleto is issued by ourselves: nobody is asked. */
export const providers: Readonly<Partial<Record<Method, Provider>>> = {
  PIX: sandboxPsp,
  CREDIT_CARD: sandboxAcquirer,
  DEBIT_CARD: sandboxAcquirer,
}

/** An acquirer exists only in Sandbox so far: card payments in Production are refused before anything is stored. */
export const acquirers = { SANDBOX: true, PRODUCTION: false } as const

/** Who pays the recipients of splits. In Production nobody does so far: their transfers wait until a bank stands here. */
export const banks: Readonly<Record<Environment, Bank | null>> = { SANDBOX: sandboxBank, PRODUCTION: null }
export const connectedBanks = { SANDBOX: banks.SANDBOX !== null, PRODUCTION: banks.PRODUCTION !== null }
