import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { ProviderHealth } from '../port.ts'
import type { BankClient } from './client.ts'
import { deadlineIn, waits } from './deadline.ts'
import { verdictOf } from './verdict.ts'

/** Whether a connection works: a token, and a read that changes nothing. What is wrong is said without any of its secrets. */
export const healthOfBank = async (client: BankClient): Promise<ProviderHealth> => {
  const untilMs = client.io.realNow()
  const reply = await client.call(
    {
      verb: 'GET',
      path: ['pix'],
      query: {
        inicio: isoInstant(untilMs - 60_000),
        fim: isoInstant(untilMs),
        'paginacao.paginaAtual': '0',
        'paginacao.itensPorPagina': '1',
      },
    },
    deadlineIn(client.io, waits.askMs),
  )
  const verdict = verdictOf(reply)
  const detail =
    verdict.type === 'OK'
      ? null
      : reply.type === 'NONE'
        ? (whys[reply.why] ?? `no answer: ${reply.why}`)
        : 'problem' in verdict
          ? verdict.problem.text
          : `status ${reply.status}`
  return { works: detail === null, detail, certificateEndsAtMs: client.certificateEndsAtMs() }
}

const whys: Readonly<Record<string, string>> = {
  TOKEN: 'the bank gives no token: client id, secret, certificate or scopes are wrong, or it is not there',
  ERR_CRYPTO_UNSUPPORTED_OPERATION:
    'the PKCS #12 file is encrypted in a way that is no longer supported: convert it, or give PEM',
}
