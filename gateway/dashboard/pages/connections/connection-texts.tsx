import { ownTexts } from '../../parts/with-texts.tsx'
import type { ConnectionTexts } from '../../texts/connections-pt.ts'

/** The texts of the pages about connections, once one of them is shown. */
export let saying: ConnectionTexts

/** A page about connections, and whatever else speaks of them, with its texts. */
export const { withTexts: withConnectionTexts, useTexts: useConnectionTexts } = ownTexts(
  {
    en: async (): Promise<ConnectionTexts> => (await import('../../texts/connections-en.ts')).connectionsEn,
    'pt-BR': async () => (await import('../../texts/connections-pt.ts')).connectionsPt,
  },
  (texts) => {
    saying = texts
  },
)
