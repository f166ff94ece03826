"""Much text through one model: cut into shards that any process on any machine may translate, and joined again."""
