import type { StepNames } from '../step-names.ts'
import type { CryptoFact } from './facts.ts'

export const cryptoStepNames: StepNames<CryptoFact> = {
  AddressOpened: { en: 'Address created', pt: 'Endereço criado' },
  TransferSeen: { en: 'Transfer seen on the network', pt: 'Transferência vista na rede' },
  TransferConfirmed: { en: 'Transfer confirmed', pt: 'Transferência confirmada' },
  TransferDropped: { en: 'Transfer dropped by the network', pt: 'Transferência descartada pela rede' },
  CryptoPaid: { en: 'Payment received', pt: 'Pagamento recebido' },
}
