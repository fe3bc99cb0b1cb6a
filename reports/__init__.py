"""What people read: results as tables and sentences, CSV, and hands shown card by card."""
