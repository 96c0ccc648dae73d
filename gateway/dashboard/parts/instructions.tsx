import { downloadPath, post, type Schemas, withId } from '../core/api.ts'
import { useNow } from '../core/clock.ts'
import { day, digitableLine, distance } from '../core/format.ts'
import { t } from '../core/language.ts'
import { useGet } from '../core/query.ts'
import { isSandbox } from '../core/router.ts'
import { assetText } from './asset.tsx'
import { Amount, LinkButton, Moment, Section } from './basics.tsx'
import { CopyBox } from './copy-box.tsx'
import { statusText } from './labels.tsx'
import { type SandboxAction, SandboxActions } from './sandbox-actions.tsx'
import { SendCharge } from './send-charge.tsx'

type Detail = Schemas['TransactionDetail']

/**
 * What the payer needs while the charge can be paid: QR Code, code to copy, typeable line, PDF. In the Sandbox,
 * also buttons to pay it.
 */
export const PayerInstructions = ({ of }: { of: Detail }) => {
  const { pix, boleto, crypto } = of
  const isPayable = of.status === 'PENDING'
  // Only the charge itself carries the QR Code of a stablecoin.
  const coin = useGet(crypto && isPayable ? '/v1/crypto/charges/{id}' : null, { path: { id: of.id } })
  const actions = isSandbox() ? simulations(of) : []
  if (!isPayable) return actions.length === 0 ? null : <SandboxActions of={actions} />
  const code = pix?.copyPaste ?? crypto?.uri ?? null
  const image = crypto ? coin.data?.crypto.qrCode : downloadPath(imagePath(of), { size: '6' })
  return (
    <Section title={t.instructions.title} note={of.expiresAt && <Expiry at={of.expiresAt} />}>
      <div class="instructions">
        {code && image && <img class="qr" src={image} alt={t.instructions.qrAlt} width={180} height={180} />}
        {coin.isLoading && <div class="qr qr-room" />}
        <div>
          {boleto?.digitableLine && (
            <CopyBox
              label={t.instructions.line}
              text={digitableLine(boleto.digitableLine)}
              copied={boleto.digitableLine}
            />
          )}
          {crypto?.address && (
            <>
              <p>
                <Amount of={of.amount} currency={of.currency} size="large" /> {assetText(crypto)}
              </p>
              <CopyBox label={t.crypto.address} text={crypto.address} />
            </>
          )}
          {code && <CopyBox label={crypto ? t.crypto.uri : t.instructions.code} text={code} />}
          {boleto && (
            <div class="actions">
              <LinkButton
                icon="download"
                href={downloadPath(`/v1/boletos/${of.id}/pdf`)}
                target="_blank"
                text={t.instructions.pdf}
              />
              <span class="hint">{t.instructions.due(day(boleto.dueDate))}</span>
            </div>
          )}
          {!crypto && <SendCharge of={of} />}
        </div>
      </div>
      <SandboxActions of={actions} />
    </Section>
  )
}

const imagePath = ({ id, boleto, origin }: Detail): string => {
  if (boleto) return `/v1/boletos/${id}/qr-code`
  return origin === 'DEPOSIT' ? `/v1/pix/deposits/${id}/qr-code` : `/v1/pix/charges/${id}/qr-code`
}

const Expiry = ({ at }: { at: string }) => {
  const nowMs = useNow()
  return (
    <>
      {t.instructions.expires} {distance(at, nowMs)} (<Moment at={at} />)
    </>
  )
}

/** What the Sandbox can do with a transaction as it stands. */
const simulations = (of: Detail): SandboxAction[] => {
  const { id, method, status } = of
  const params = withId(id)
  const isPaid = ['APPROVED', 'PARTIALLY_REFUNDED'].includes(status)
  const settle = [simulation(t.sandbox.settle, () => post('/v1/sandbox/transactions/{id}/settle', params))]
  if (status === 'PENDING') return waysToPay(of)
  if (method === 'CRYPTO' && status === 'PROCESSING')
    return [
      simulation(t.crypto.simulateConfirm, () => post('/v1/sandbox/crypto/charges/{id}/confirm', params)),
      simulation(t.crypto.simulateDrop, () => post('/v1/sandbox/crypto/charges/{id}/drop', params)),
    ]
  if (method === 'CREDIT_CARD' && status === 'PROCESSING')
    return (['APPROVED', 'DECLINED', 'FAILED'] as const).map((result) =>
      simulation(statusText(result, 'transaction'), () =>
        post('/v1/sandbox/card-payments/{id}/resolve', { ...params, body: { result } }),
      ),
    )
  if (!isPaid) return []
  if (method === 'PIX')
    settle.push(
      simulation(t.sandbox.med, () => post('/v1/sandbox/transactions/{id}/med', { ...params, body: {} })),
    )
  if (method === 'CREDIT_CARD')
    settle.push(
      simulation(t.disputes.chargeback, () =>
        post('/v1/sandbox/card-payments/{id}/chargeback', { ...params, body: {} }),
      ),
    )
  return settle
}

/** The Sandbox's buttons to pay a pending charge, or to let it expire. */
const waysToPay = ({ id, method, origin }: Detail): SandboxAction[] => {
  const params = withId(id)
  if (method === 'PIX') {
    const expire = simulation(t.sandbox.expire, () => post('/v1/sandbox/pix/charges/{id}/expire', params))
    const pay = () => post('/v1/sandbox/pix/charges/{id}/pay', { ...params, body: {} })
    return [simulation(t.sandbox.pay, pay), ...(origin === 'DEPOSIT' ? [] : [expire])]
  }
  if (method === 'BOLETO') {
    const pay = (by: 'BAR_CODE' | 'PIX') => () =>
      post('/v1/sandbox/boletos/{id}/pay', { ...params, body: { by } })
    return [
      simulation(t.sandbox.payBarcode, pay('BAR_CODE')),
      simulation(t.sandbox.payPix, pay('PIX')),
      simulation(t.sandbox.expire, () => post('/v1/sandbox/boletos/{id}/expire', params)),
    ]
  }
  if (method === 'CRYPTO') {
    const pay = (body: { confirmations?: number }) => () =>
      post('/v1/sandbox/crypto/charges/{id}/pay', { ...params, body })
    return [
      simulation(t.crypto.simulatePaid, pay({})),
      simulation(t.crypto.simulateSeen, pay({ confirmations: 0 })),
    ]
  }
  return []
}

const simulation = (text: string, act: () => Promise<unknown>): SandboxAction => ({ text, act })
