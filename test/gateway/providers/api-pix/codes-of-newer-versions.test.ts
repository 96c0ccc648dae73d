import t from 'tap'
import { readBankNotice } from '../../../../gateway/providers/api-pix/notices.ts'

/** What a bank of API Pix 2.10.0 reports of mandates (rails, R1, R5 and R7), read by what knows 2.9.0 too. */
const read = (body: object) => readBankNotice({ body: Buffer.from(JSON.stringify(body)) }, 'key', 5)

t.test('a mandate ends with whatever code the bank has, with or without words, by whatever id', async (t) => {
  for (const [encerramento, code] of [
    [{ rejeicao: { codigo: 'AP15', motivo: 'recusada' } }, 'AP15'],
    [{ rejeicao: { codigo: 'AP13' } }, 'AP13'],
    [{ cancelamento: { solicitante: 'PSP_PAGADOR', codigo: 'PCFD' } }, 'PCFD'],
    [{ cancelamento: { solicitante: 'PSP_PAGADOR', codigo: 'ERSL' } }, 'ERSL'],
    [{ rejeicao: { motivo: 'sem código' } }, null],
  ] as const) {
    const idRec = 'CR9999901120261120abcdefghijk'
    const status = 'rejeicao' in encerramento ? 'REJEITADA' : 'CANCELADA'
    t.match(read({ recs: [{ idRec, status, encerramento }] }), [
      {
        kind: 'MANDATE',
        data: { mandateId: idRec, code, state: status === 'REJEITADA' ? 'REJECTED' : 'CANCELLED' },
      },
    ])
  }
})

t.test('requests to confirm a mandate, of whatever state, are no mandates', async (t) => {
  for (const status of ['ENVIADA', 'RECEBIDA', 'ACEITA', 'REJEITADA', 'EXPIRADA', 'CANCELADA'])
    t.strictSame(read({ solicrecs: [{ idSolicRec: 'SC1', status, destinatario: {} }] }), [])
})
