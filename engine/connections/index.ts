/** The connections of accounts in Production to banks and acquirers. Their secrets are in the directory, and never here. */
import './account-part.ts'
import './commands.ts'
import { connectionsAccountPart } from './account-part.ts'
import { connectionDeciders } from './deciders.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const connectionsModule = {
  accountParts: {
    connections: connectionsAccountPart,
  },
  deciders: connectionDeciders,
}
