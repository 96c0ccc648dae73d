import { callUuidOf } from '../../../../gateway/providers/api-pix/call-uuid.ts'
import type { ProviderAsk, ProviderInstance, ProviderModule } from '../../../../gateway/providers/port.ts'
import { aCob } from '../../../rails/api-pix/bank-for-test.ts'
import { hookFor } from '../../../rails/api-pix/hook-for-test.ts'
import type { SimulatedProfile } from '../../../rails/api-pix/profiles/profile.ts'
import { toCents } from '../../../rails/money.ts'
import type { Reporting, Subject, Wire } from '../contract.ts'
import { aPayOut } from '../sample-asks.ts'
import { type BankConnection, connectedBank, mandateAsks } from './bank-connection.ts'

/** Every operation of the module, asked of a simulated bank that is prepared for it. */
export const subjectOver = async (
  t: Tested,
  { module, profile }: { readonly module: ProviderModule; readonly profile: SimulatedProfile },
  change: Change = () => ({}),
): Promise<Subject> => {
  const connection = await connectedBank(t, { module, profile })
  const { bank, instance, asks } = connection
  const prepare = preparations(connection)
  const hook = await hookFor(t as never, bank.authority)
  await instance.registerHooks!(hook.url)
  const mandates = mandateAsks(asks)
  const offersPayOut = module.repeat.PAY_OUT !== undefined
  const offersMeds = module.repeat.DEFEND_MED !== undefined
  const retry = await prepare.rejected()
  return {
    module,
    instance: { ...instance, ...change(connection) },
    advance: (ms) => bank.clock.advance(ms),
    findsByOwnNumber: module.name === 'inter' ? ['PAY_OUT'] : [],
    does: [
      asks.register(),
      asks.registerDue(),
      prepare.cancel(),
      asks.after('READ_CHARGE', prepare.charge()),
      mandates.create(),
      mandates.cancel(prepare.mandate()),
      prepare.schedule(),
      prepare.callOff(),
      mandates.later('RESCHEDULE', retry.txid, retry.day),
      ...(offersMeds ? [prepare.defence()] : []),
    ],
    refuses: [
      asks.register({ pixKey: 'stranger@example.com' }),
      asks.giveBack('REFUND', prepare.paid('1.00'), 101),
      mandates.schedule(prepare.mandate(), dayFrom(connection, 5), 1),
      ...(offersPayOut ? [aPayOut({ bankCode: '999' }, asks.head(100))] : []),
    ],
    leavesOpen: [
      asks.giveBack('REFUND', prepare.paid('5.00'), 500),
      asks.giveBack('RETURN', prepare.paid('5.00'), 500),
      ...(offersPayOut ? [aPayOut({ pixKey: 'maria@example.com' }, asks.head(700))] : []),
    ],
    takesBack: [],
    wire: wireOf(connection, () => [
      asks.register(),
      asks.registerDue(),
      asks.giveBack('REFUND', prepare.paid('5.00'), 500),
      asks.giveBack('RETURN', prepare.paid('5.00'), 500),
      prepare.cancel(),
      mandates.create(),
      mandates.cancel(prepare.mandate()),
      prepare.schedule(),
      prepare.callOff(),
      ...(offersPayOut ? [aPayOut({ pixKey: 'maria@example.com' }, asks.head(700))] : []),
      ...(offersMeds ? [prepare.defence()] : []),
    ]),
    reports: reportingOf(connection, hook),
  }
}

type Tested = Parameters<typeof connectedBank>[0]
/** A change of an adapter that passes. */
export type Change = (connection: BankConnection) => Partial<ProviderInstance>

const dayFrom = ({ bank }: BankConnection, days: number): string =>
  new Date(bank.clock.nowMs() - 3 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)

/** What has to be at the bank before it can be asked something, made without the adapter. */
export const preparations = (connection: BankConnection) => {
  const { bank, asks } = connection
  const { charges, mandates, mandateCharges } = bank.bank
  const [chave] = bank.receiver.chaves
  const charge = () => {
    const ask = asks.register()
    charges.put('cob', ask.reference, aCob('12.34'))
    return ask
  }
  const mandate = (): string => {
    const { idRec } = mandates.create({
      vinculo: { contrato: '1', devedor: { cpf: '52998224725', nome: 'Maria da Silva' }, objeto: 'Plano' },
      calendario: { dataInicial: dayFrom(connection, 0), periodicidade: 'MENSAL' },
      valor: { valorRec: '49.90' },
      politicaRetentativa: 'PERMITE_3R_7D',
    })
    mandates.answer(idRec, { does: 'accept' }, 'QR')
    return idRec
  }
  const scheduled = (day: string) => {
    const ask = mandateAsks(asks).schedule(mandate(), day)
    mandateCharges.put(ask.reference, {
      idRec: ask.data.mandateId,
      calendario: { dataDeVencimento: day },
      valor: { original: '49.90' },
      ajusteDiaUtil: true,
      recebedor: { conta: bank.receiver.conta, agencia: bank.receiver.agencia, tipoConta: 'CORRENTE' },
    })
    return ask
  }
  const paid = (valor: string): string => bank.bank.pay({ chave: chave!, valor })!.endToEndId
  return {
    charge,
    mandate,
    paid,
    cancel: () => asks.after('CANCEL', charge()),
    schedule: () => mandateAsks(asks).schedule(mandate(), dayFrom(connection, 5)),
    callOff: (): ProviderAsk => {
      const day = dayFrom(connection, 5)
      return mandateAsks(asks).later('UNSCHEDULE', scheduled(day).reference, day)
    },
    /** A charge whose attempts of the day failed, and another day on which it may be tried. */
    rejected: async () => {
      const day = dayFrom(connection, 2)
      const { reference: txid, data } = scheduled(day)
      mandateCharges.setAccount(data.mandateId, { does: 'reject', codigo: 'AB10' })
      await bank.clock.advance(Date.parse(`${day}T23:00:00.000Z`) - bank.clock.nowMs())
      return { txid, day: dayFrom(connection, 3) }
    },
    defence: (): ProviderAsk => ({
      operation: 'DEFEND_MED',
      rail: 'PIX',
      ...asks.head(0),
      data: { disputeId: bank.bank.meds.open({ endToEndId: paid('3.00') }).id, text: 'Entregue.' },
    }),
  }
}

/** The bank's books and its wire. */
export const wireOf = ({ bank }: BankConnection, fresh: Wire['fresh']): Wire => {
  const { charges, payments, sends, mandateCharges, faults } = bank.bank
  const centsOf = (reference: string): number | undefined => {
    const charge = charges.find(reference)
    if (charge !== undefined)
      return charge.status.startsWith('REMOVIDA') || charge.revisions.length > 1
        ? undefined
        : toCents(charge.revisions[0].valor.original)
    const cobr = mandateCharges.find(reference)
    if (cobr !== undefined) return cobr.status === 'CANCELADA' ? undefined : toCents(cobr.body.valor.original)
    const returned = payments
      .all()
      .flatMap(({ endToEndId }) => payments.returnsOf(endToEndId))
      .find(({ id, status }) => id === reference && status !== 'NAO_REALIZADO')
    return (returned ?? sentBy(reference))?.cents
  }
  /** Efí knows a PIX by our reference, Inter by the UUID of its call. */
  const sentBy = (reference: string) =>
    sends.find(reference) ?? sends.find(callUuidOf(`txn_${reference.slice(0, -2)}.2`))
  const does = {
    CUT_BEFORE: { kind: 'cut', when: 'before' },
    CUT_AFTER: { kind: 'cut', when: 'after' },
    UNREADABLE: { kind: 'text', when: 'after', status: 200, body: 'OK' },
  } as const
  return {
    books: { get: centsOf, has: (reference) => centsOf(reference) !== undefined },
    sum: () =>
      [
        ...charges.all().map(({ txid }) => centsOf(txid) ?? 0),
        ...mandateCharges.all().map(({ txid }) => centsOf(txid) ?? 0),
        ...payments
          .all()
          .flatMap(({ endToEndId }) => payments.returnsOf(endToEndId).map(({ id }) => centsOf(id) ?? 0)),
        ...sends.all().map(({ cents }) => cents),
      ].reduce((sum, cents) => sum + cents, 0),
    plan: (...planned) => {
      for (const fault of planned)
        if (fault !== 'NONE') faults.add({ path: '^(?!.*token)', does: does[fault] })
    },
    undo: async (reference) => {
      if (charges.find(reference) !== undefined) return charges.setStatus(reference, 'REMOVIDA_PELO_PSP')
      await bank.clock.advance(1_000)
      sends.giveBack(reference, '7.00')
    },
    undoes: ({ operation }) =>
      operation === 'REGISTER' || (operation === 'PAY_OUT' && bank.bank.context.profile.sends === 'EFI'),
    fresh,
  }
}

const reportingOf = ({ bank }: BankConnection, hook: Awaited<ReturnType<typeof hookFor>>): Reporting => {
  let charged = 0
  const pay = () => {
    const txid = `c${String(++charged).padStart(31, '0')}`
    bank.bank.charges.put('cob', txid, aCob('8.00'))
    return bank.bank.pay({ txid })!
  }
  return {
    address: hook.url,
    nowMs: () => bank.clock.nowMs(),
    setSilent: (isSilent) => {
      if (!isSilent) return bank.bank.faults.clear()
      bank.bank.faults.add({ path: '^(?!.*token)', times: null, does: { kind: 'cut', when: 'before' } })
    },
    receive: async () => {
      const { endToEndId, cents } = pay()
      await bank.bank.webhooks.idle()
      const { path, body } = hook.heard().at(-1)!
      const raw = { headers: {}, path, body: Buffer.from(JSON.stringify(body)), peerCertificate: null }
      return { raw, endToEndId, amountCents: cents }
    },
    receiveUnreported: async () => {
      bank.bank.faults.addNotice({ kind: 'lose' })
      const { endToEndId } = pay()
      await bank.clock.advance(60_000)
      return endToEndId
    },
  }
}
