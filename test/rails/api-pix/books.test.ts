import fc from 'fast-check'
import t from 'tap'
import { momentOf } from '../days.ts'
import { aCob, type BankForTest, bankFor, txidOf } from './bank-for-test.ts'
import type { Movement } from './book.ts'

/** Whatever happens, three accounts of the same money agree: the bank's book, what its interface shows, and the days' statements. */
const runs = Number(process.env.PROPERTY_RUNS ?? 8)
const chave = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'

type Step =
  | { readonly does: 'charge'; readonly cents: number }
  | { readonly does: 'pay'; readonly which: number; readonly force: boolean; readonly other: boolean }
  | { readonly does: 'payKey'; readonly cents: number }
  | { readonly does: 'return'; readonly which: number; readonly cents: number }
  | { readonly does: 'inApp'; readonly which: number; readonly cents: number }
  | { readonly does: 'med'; readonly which: number; readonly accepts: boolean }
  | { readonly does: 'remove'; readonly which: number }
  | { readonly does: 'send'; readonly cents: number; readonly id: number }
  | { readonly does: 'giveBack'; readonly which: number; readonly cents: number }
  | { readonly does: 'refuseReturns'; readonly are: boolean }
  | { readonly does: 'wait'; readonly hours: number }

const which = fc.nat(30)
const cents = fc.integer({ min: 1, max: 5000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('charge' as const), cents }),
  fc.record({ does: fc.constant('pay' as const), which, force: fc.boolean(), other: fc.boolean() }),
  fc.record({ does: fc.constant('payKey' as const), cents }),
  fc.record({ does: fc.constant('return' as const), which, cents }),
  fc.record({ does: fc.constant('inApp' as const), which, cents }),
  fc.record({ does: fc.constant('med' as const), which, accepts: fc.boolean() }),
  fc.record({ does: fc.constant('remove' as const), which }),
  fc.record({ does: fc.constant('send' as const), cents, id: fc.nat(8) }),
  fc.record({ does: fc.constant('giveBack' as const), which, cents }),
  fc.record({ does: fc.constant('refuseReturns' as const), are: fc.boolean() }),
  fc.record({ does: fc.constant('wait' as const), hours: fc.integer({ min: 0, max: 30 }) }),
)

const at = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items.length === 0 ? undefined : items[index % items.length]

const valorOf = (amount: number): string => (amount / 100).toFixed(2)

/** What a payer or a person cannot do is refused, and changes nothing. */
const orNothing = (act: () => unknown): void => {
  try {
    act()
  } catch {
    // The book is looked at in the end.
  }
}

const take = async (bank: BankForTest, of: Step, number: number): Promise<void> => {
  const { charges, payments, meds, sends } = bank.bank
  switch (of.does) {
    case 'charge':
      await bank.ask('PUT', `/cob/${txidOf(number)}`, aCob(valorOf(of.cents)))
      return
    case 'pay': {
      const charge = at(charges.all(), of.which)
      if (charge === undefined) return
      orNothing(() =>
        bank.bank.pay({ txid: charge.txid, force: of.force, ...(of.other ? { valor: '0.07' } : {}) }),
      )
      return
    }
    case 'payKey':
      bank.bank.pay({ chave, valor: valorOf(of.cents) })
      return
    case 'return': {
      const pix = at(payments.all(), of.which)
      if (pix !== undefined)
        await bank.ask('PUT', `/pix/${pix.endToEndId}/devolucao/r${number}`, { valor: valorOf(of.cents) })
      return
    }
    case 'inApp': {
      const pix = at(payments.all(), of.which)
      if (pix !== undefined)
        orNothing(() =>
          payments.makeReturn({ endToEndId: pix.endToEndId, cents: of.cents, natureza: 'ORIGINAL' }),
        )
      return
    }
    case 'med': {
      const pix = at(payments.all(), of.which)
      if (pix === undefined) return
      const { id } = meds.open({ endToEndId: pix.endToEndId })
      await bank.clock.advance(3_600_000)
      meds.close(id, of.accepts ? 'ACEITA' : 'REJEITADA')
      return
    }
    case 'remove': {
      const charge = at(charges.all(), of.which)
      if (charge !== undefined)
        await bank.ask('PATCH', `/cob/${charge.txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })
      return
    }
    case 'send':
      await bank.askAt('POST', '/banking/v2/pix', {
        body: { valor: valorOf(of.cents), destinatario: { tipo: 'CHAVE', chave: 'maria@example.com' } },
        headers: { 'x-id-idempotente': `00000000-0000-4000-8000-00000000000${of.id}` },
      })
      return
    case 'giveBack': {
      const sent = at(sends.all(), of.which)
      if (sent !== undefined) orNothing(() => sends.giveBack(sent.reference, valorOf(of.cents)))
      return
    }
    case 'refuseReturns':
      payments.setReturns({ refusal: of.are ? 'Conta encerrada' : null })
      return
    case 'wait':
      await bank.clock.advance(of.hours * 3_600_000)
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const kinds = (movements: readonly Movement[], ...of: readonly string[]): number =>
  sum(movements.filter(({ kind }) => of.includes(kind)).map((movement) => movement.cents))

t.test('books are equal after anything', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const bank = await bankFor(t, { profile: 'inter', openingCents: 20_000 })
      for (const [number, of] of steps.entries()) await take(bank, of, number)
      await bank.clock.advance(3_600_000)

      const shown: any[] = []
      for (let page = 0, pages = 1; page < pages; page++) {
        const { body } = await bank.ask(
          'GET',
          `/pix?inicio=2026-11-01T00:00:00Z&fim=2027-12-31T00:00:00Z&paginacao.itensPorPagina=3&paginacao.paginaAtual=${page}`,
        )
        shown.push(...body.pix)
        pages = body.parametros.paginacao.quantidadeDePaginas
      }
      const { movements, balanceCents, availableCents } = await bank.hold('GET /book')
      const amount = ({ valor }: { valor: string }) => Number(valor.replace('.', ''))
      const returned = shown
        .flatMap(({ devolucoes = [] }) => devolucoes)
        .filter(({ status }) => status === 'DEVOLVIDO')
      const natures = (isMed: boolean) =>
        sum(returned.filter(({ natureza }) => natureza.startsWith('MED') === isMed).map(amount))
      const wrong = [
        sum(shown.map(amount)) === kinds(movements, 'RECEIVED') ? null : 'received',
        natures(false) === -kinds(movements, 'RETURNED') ? null : 'returned',
        natures(true) === -kinds(movements, 'MED_RETURNED') ? null : 'returned by MED',
        sum(movements.map((movement: Movement) => movement.cents)) === balanceCents - 20_000
          ? null
          : 'balance',
        availableCents === balanceCents ? null : 'nothing is blocked in the end',
        new Set(shown.map(({ endToEndId }) => endToEndId)).size === shown.length ? null : 'each PIX once',
        shown.every(
          (pix) =>
            sum((pix.devolucoes ?? []).filter((of: any) => of.status === 'DEVOLVIDO').map(amount)) <=
            amount(pix),
        )
          ? null
          : 'more returned than received',
      ]
      let closing = 20_000
      const last = momentOf('2026-11-25') + (bank.clock.nowMs() - Date.UTC(2026, 10, 25))
      for (let ms = momentOf('2026-11-25'); ms <= last + 86_400_000; ms += 86_400_000) {
        const day = new Date(ms).toISOString().slice(0, 10)
        const statement = bank.bank.book.statement(day)
        if (statement.openingCents !== closing) wrong.push(`opening of ${day}`)
        closing = statement.closingCents
      }
      if (closing !== balanceCents) wrong.push('the last statement')
      const sentByStatus = bank.bank.sends.all().filter(({ status }) => status === 'REALIZADO')
      if (sum(sentByStatus.map((of) => of.cents)) !== -kinds(movements, 'SENT')) wrong.push('sent')
      await bank.stop()
      return wrong.every((one) => one === null)
    }),
    {
      numRuns: runs,
      ...(process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }),
    },
  )
})
