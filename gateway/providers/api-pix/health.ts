import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { ProviderHealth } from '../port.ts'
import type { BankClient } from './client.ts'
import { waits, within } from './deadline.ts'
import { verdictOf } from './verdict.ts'

/** Whether a connection works: a token, and a read that changes nothing. What is wrong is said without any of its secrets. */
export const healthOfBank = async (client: BankClient): Promise<ProviderHealth> => {
  const untilMs = client.io.realNow()
  const reply = await within(client.io, waits.askMs, (deadline) =>
    client.call(
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
      deadline,
    ),
  )
  const verdict = verdictOf(reply)
  const detail =
    verdict.type === 'OK'
      ? null
      : reply.type === 'NONE'
        ? `no answer: ${reply.why}${oldPfx.test(reply.why) ? hint : ''}`
        : 'problem' in verdict
          ? verdict.problem.text
          : `status ${reply.status}`
  return { works: detail === null, detail, certificateEndsAtMs: client.certificateEndsAtMs() }
}

/** OpenSSL 3 reads no PKCS #12 that is encrypted in the old ways, in which some banks still hand them out. */
const oldPfx = /ERR_CRYPTO_UNSUPPORTED_OPERATION/
const hint = ': the PKCS #12 file is encrypted in an old way; convert it, or give certificate and key as PEM'
