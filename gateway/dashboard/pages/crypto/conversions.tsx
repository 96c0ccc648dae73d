import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { money } from '../../core/format.ts'
import { unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { PersonName } from '../../parts/actor.tsx'
import { Amount, Button, Empty, Facts, Loading, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { amountError, Choice, Form, MoneyField, useForm } from '../../parts/form.tsx'
import { optionsOf, Status, statusText } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { announce } from '../../parts/toasts.tsx'
import { ownTexts } from '../../parts/with-texts.tsx'
import type { ConversionTexts } from '../../texts/conversions-pt.ts'

type Conversion = Schemas['Conversion']
type Quote = Schemas['ConversionQuote']
type Currency = Conversion['fromCurrency']

const pairs = ['BRL USDT', 'BRL USDC', 'USDT BRL', 'USDC BRL'] as const
const pairText = (pair: string): string => pair.replace(' ', ' → ')

let ours: ConversionTexts

const { withTexts } = ownTexts(
  {
    en: async (): Promise<ConversionTexts> => (await import('../../texts/conversions-en.ts')).conversionsEn,
    'pt-BR': async () => (await import('../../texts/conversions-pt.ts')).conversionsPt,
  },
  (texts) => {
    ours = texts
  },
)

const ConversionList = () => {
  const query = useList('/v1/conversions', ['from', 'to', 'status'])
  const dialog = useDialog(query.filters)
  const create = can('crypto.convert') && (
    <Button tone="main" icon="repeat" data-key="n" onClick={() => dialog.show()}>
      {ours.create}
    </Button>
  )
  return (
    <Page title={t.nav.conversions} lead={ours.lead} actions={create}>
      <List
        label={t.nav.conversions}
        query={query}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`conversoes/${id}`)}
        nameOf={({ fromCurrency, toCurrency, fromAmount }) =>
          `${money(fromAmount, fromCurrency)} → ${toCurrency}`
        }
        filterBy={[
          { kind: 'period' },
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(['PROCESSING', 'COMPLETED', 'FAILED'], (status) =>
              statusText(status, 'conversion'),
            ),
          },
        ]}
        columns={[
          {
            id: 'from',
            title: ours.from,
            isNumber: true,
            cell: ({ fromAmount, fromCurrency }) => <Amount of={fromAmount} currency={fromCurrency} />,
          },
          {
            id: 'to',
            title: ours.to,
            isNumber: true,
            cell: ({ toAmount, toCurrency }) => <Amount of={toAmount} currency={toCurrency} />,
          },
          {
            id: 'status',
            title: t.common.status,
            cell: ({ status, failureReason }) => (
              <>
                <Status is={status} of="conversion" />
                {failureReason && <small class="sub">{ours.failure[failureReason]}</small>}
              </>
            ),
          },
          { id: 'rate', title: ours.rate, from: 'medium', cell: ({ rate }) => rateText(rate) },
          {
            id: 'createdAt',
            title: t.common.createdAt,
            align: 'end',
            isDate: true,
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
        ]}
        empty={
          <Empty icon="repeat" title={ours.none} actions={create}>
            {ours.noneText}
          </Empty>
        }
      />
      {dialog.open && <ConvertDialog onClose={dialog.close} />}
    </Page>
  )
}

/** A price, with the digits that it has. */
/** Reais into stablecoins, and back. */
export const Conversions = withTexts(() => t.nav.conversions, ConversionList)

const rateText = (rate: string): string => `R$\u00a0${rate.replace('.', ours.point)}`

const ConvertDialog = ({ onClose }: { onClose: () => void }) => {
  const [asked, setAsked] = useState<Parameters<typeof quoteBody>[0] | null>(null)
  const [quote, setQuote] = useState<Quote | null>(null)
  const ask = async (values: Parameters<typeof quoteBody>[0]) =>
    setQuote(await dataOf(api.POST('/v1/conversions/quotes', { body: quoteBody(values) })))
  const form = useForm(
    { pair: pairs[0], side: 'from', fromAmount: '', toAmount: '' },
    async (values) => {
      setAsked(values)
      await ask(values)
    },
    (values) => ({
      [amountField(values)]: amountError(values[amountField(values)], { currency: currencyOf(values) }),
    }),
  )
  return (
    <Dialog title={ours.create} onClose={onClose}>
      {quote === null ? (
        <Form of={form} submit={ours.quote} onCancel={onClose}>
          <Choice
            form={form}
            name="pair"
            label={ours.pair}
            of={pairs.map((pair) => [pair, pairText(pair)])}
          />
          <Choice
            form={form}
            name="side"
            label={ours.side}
            of={[
              ['from', ours.giving(currencyOf({ ...form.values, side: 'from' }))],
              ['to', ours.getting(currencyOf({ ...form.values, side: 'to' }))],
            ]}
          />
          <MoneyField
            form={form}
            key={amountField(form.values)}
            name={amountField(form.values)}
            label={`${t.common.amount} (${currencyOf(form.values)})`}
            currency={currencyOf(form.values)}
            isFirst
          />
        </Form>
      ) : (
        <Quoted key={quote.id} of={quote} onAgain={() => ask(asked!)} onClose={onClose} />
      )}
    </Dialog>
  )
}

const currencyOf = ({ pair, side }: Readonly<Record<string, string>>): Currency => {
  const [from, to] = (pair ?? pairs[0]).split(' ') as [Currency, Currency]
  return side === 'to' ? to : from
}

/** The field that says how much: what is given, or what is bought. */
const amountField = ({ side }: Readonly<Record<string, string>>) =>
  side === 'to' ? 'toAmount' : 'fromAmount'

const quoteBody = (values: Readonly<Record<string, string>>) => {
  const amount = unitsOf(values[amountField(values)], currencyOf(values))
  return {
    fromCurrency: currencyOf({ ...values, side: 'from' }),
    toCurrency: currencyOf({ ...values, side: 'to' }),
    [amountField(values)]: amount,
  }
}

/** A price, with the time that it still holds. */
const Quoted = ({
  of,
  onAgain,
  onClose,
}: {
  of: Quote
  onAgain: () => Promise<unknown>
  onClose: () => void
}) => {
  const left = useSecondsLeft()
  const again = useAction(onAgain)
  const facts = [
    [ours.from, money(of.fromAmount, of.fromCurrency)],
    [ours.to, money(of.toAmount, of.toCurrency)],
    [ours.rate, rateText(of.rate)],
    [t.transfers.fee, money(of.feeAmount)],
    ...(of.taxAmount === '0' ? [] : [[ours.tax, money(of.taxAmount)] as const]),
  ] as const
  const convert = useAction(async () => {
    await signing(facts, () => dataOf(api.POST('/v1/conversions', { body: { quoteId: of.id } })))
    refresh('/v1/conversions', '/v1/balance', '/v1/statement')
    announce(ours.done)
    onClose()
  })
  const isOver = left === 0 || convert.problem?.code === 'QUOTE_EXPIRED'
  return (
    <>
      <p class="today-amount">
        <Amount of={of.toAmount} currency={of.toCurrency} size="huge" />
      </p>
      <Facts of={facts} />
      <p role="timer" aria-live="off" class={isOver ? 'notice-line warn' : 'notice-line calm'}>
        {isOver ? ours.over : ours.holds(left)}
      </p>
      <meter
        class="quote-clock"
        min={0}
        max={quoteSeconds}
        value={isOver ? 0 : left}
        aria-label={ours.holds(left)}
      />
      <Trouble of={again.problem ?? (isOver ? null : convert.problem)} />
      <div class="form-foot">
        <Button tone="quiet" onClick={onClose}>
          {t.common.cancel}
        </Button>
        {isOver ? (
          <Button tone="main" icon="repeat" isBusy={again.isBusy} onClick={() => void again.run()}>
            {ours.again}
          </Button>
        ) : (
          <Button tone="main" icon="shield" isBusy={convert.isBusy} onClick={() => void convert.run()}>
            {ours.sign}
          </Button>
        )}
      </div>
    </>
  )
}

/** How long a price holds. */
const quoteSeconds = 30

/** Seconds left of a price, by a monotonic clock: the wall clock of this machine may be further off than that. */
const useSecondsLeft = (): number => {
  const [cameAtMs] = useState(() => performance.now())
  const [left, setLeft] = useState(quoteSeconds)
  useEffect(() => {
    const timer = setInterval(
      () => setLeft(Math.max(0, Math.ceil(quoteSeconds - (performance.now() - cameAtMs) / 1000))),
      250,
    )
    return () => clearInterval(timer)
  }, [])
  return left
}

const OneConversion = ({ id }: { id: string }) => {
  const { data, problem, refresh: again } = useGet('/v1/conversions/{id}', { path: { id } })
  const back = { href: pathTo('conversoes'), text: t.nav.conversions }
  if (problem || !data)
    return (
      <Page title={t.nav.conversions} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  return (
    <Page
      back={back}
      title={
        <>
          <Amount of={data.toAmount} currency={data.toCurrency} size="large" />{' '}
          <Status is={data.status} of="conversion" />
        </>
      }
    >
      <Section title={t.common.details}>
        <Facts
          of={[
            [ours.from, <Amount key="from" of={data.fromAmount} currency={data.fromCurrency} />],
            [ours.to, <Amount key="to" of={data.toAmount} currency={data.toCurrency} />],
            [ours.rate, rateText(data.rate)],
            [t.transfers.fee, <Amount key="fee" of={data.feeAmount} />],
            [ours.tax, data.taxAmount !== '0' && <Amount key="tax" of={data.taxAmount} />],
            [ours.failed, data.failureReason && ours.failure[data.failureReason]],
            [ours.by, data.createdBy && <PersonName key="by" id={data.createdBy} />],
            [t.common.createdAt, <Moment key="made" at={data.createdAt} />],
            [t.transfers.completedAt, data.completedAt && <Moment key="done" at={data.completedAt} />],
            [t.common.id, <code key="id">{data.id}</code>],
          ]}
        />
      </Section>
    </Page>
  )
}

/** One conversion. */
export const ConversionPage = withTexts(() => t.nav.conversions, OneConversion)
