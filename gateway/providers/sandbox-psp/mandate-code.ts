import { crc16 } from '../../../engine/shared/crc16.ts'

/**
 * The code that offers a mandate, and may pay a charge as well: both are fetched at locations of one host (BR Code manual; template 80). The
 * Sandbox's payers' apps are played, so nothing stands at its locations.
 */
export const mandateCode = (reference: string, txid: string | null): string => {
  const charge = txid === null ? gui : gui + field('25', `${host}/cob/${txid}`)
  const mandate = gui + field('25', `${host}/rec/${reference}`)
  const text = `000201010212${field('26', charge)}520400005303986${payee}62070503***${field('80', mandate)}6304`
  return text + crc16(text)
}

const host = 'pix.sandbox.example/qr/v2'
const gui = '0014br.gov.bcb.pix'
const payee = '5802BR5907Sandbox6009Sao Paulo'

const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`
