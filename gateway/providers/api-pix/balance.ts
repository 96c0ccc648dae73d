import Type from 'typebox'
import type { Cents } from '../../../engine/shared/money.ts'
import { readValor } from './amounts.ts'
import type { BankClient } from './client.ts'
import { waits, within } from './deadline.ts'
import { hasShape } from './shape.ts'
import { verdictOf } from './verdict.ts'

/** The balance of the account from which PIX are sent, as the bank has it; null where it has no such interface, or says nothing that can be read. */
export const balanceAtBank = async (client: BankClient): Promise<Cents | null> => {
  const { payOut } = client.profile
  if (payOut === null) return null
  const path = payOut.kind === 'EFI' ? '/v2/gn/saldo' : '/banking/v2/saldo'
  const verdict = verdictOf(
    await within(client.io, waits.backgroundMs, (deadline) =>
      client.call({ verb: 'GET', path, use: 'BALANCE' }, deadline),
    ),
  )
  if (verdict.type !== 'OK' || !hasShape(Balance, verdict.body)) return null
  return readValor(verdict.body.saldo ?? verdict.body.disponivel)
}

/** Efí writes `saldo`, Inter `disponivel` beside what is blocked. An account in the red has no balance to be sent. */
const Balance = Type.Object({
  saldo: Type.Optional(Type.Unknown()),
  disponivel: Type.Optional(Type.Unknown()),
})
