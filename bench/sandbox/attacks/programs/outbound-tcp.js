for (const host of given.addresses) require("net").connect(given.tcpPort, host).on("connect", () => console.log("BREACH " + host)).on("error", (e) => console.log("HELD " + e.code));
