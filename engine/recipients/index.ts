/** The registers of recipients and of split rules. Charges keep a copy of the rule that divides them. */
import './commands.ts'
import './recipient.ts'
import './split-rule.ts'
import { recipientKind } from './recipient.ts'
import { recipientDeciders } from './register.ts'
import { splitRuleKind } from './split-rule.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const recipientsModule = {
  kinds: {
    recipient: recipientKind,
    splitRule: splitRuleKind,
  },
  deciders: recipientDeciders,
}
