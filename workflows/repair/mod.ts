/** Repair: what is done with the remedy of a finding that stopped a run. @module */
